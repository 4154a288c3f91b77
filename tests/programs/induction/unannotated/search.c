// smalti: --stages domains,induction --function search
/*@ requires 0 <= n && \valid_read(a + (0 .. n - 1));
    ensures -1 <= \result < n;                                                       //@ PROVED
    ensures \result >= 0 ==> a[\result] == v;                                        //@ PROVED
    ensures \result == -1 ==> (\forall integer k; 0 <= k < n ==> a[k] != v);         //@ PROVED
    ensures \result >= 0 ==> (\forall integer k; 0 <= k < \result ==> a[k] != v);    //@ PROVED
    ensures \result >= 0 ==> (\forall integer k; \result < k < n ==> a[k] != v);     //@ RESIDUAL!
*/
int search(const int *a, int n, int v) {
  for (int i = 0; i < n; i++)
    if (a[i] == v) return i;
  return -1;
}

int main(void) {
  int t[3] = {1, 5, 2};
  return search(t, 3, 5) - 1;
}
