// smalti: --stages domains,induction --function rotate
/*@ requires 0 < n && \valid(a + (0 .. n - 1));
    ensures a[n - 1] == \old(a[0]);                                         //@ PROVED
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] == \old(a[k + 1]);   //@ PROVED
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] == \old(a[k]);       //@ RESIDUAL!
*/
void rotate(int *a, int n) {
  int t = a[0];
  for (int i = 0; i < n - 1; i++) a[i] = a[i + 1];
  a[n - 1] = t;
}

int main(void) {
  int t[3] = {1, 5, 2};
  rotate(t, 3);
  return t[2] - 1;
}
