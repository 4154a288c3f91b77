// smalti: --stages domains,induction --function replace
/*@ requires 0 <= n && \valid(a + (0 .. n - 1));
    ensures \forall integer k; 0 <= k < n ==> a[k] == (\old(a[k]) == v ? w : \old(a[k]));   //@ PROVED
    ensures \forall integer k; 0 <= k < n ==> a[k] != v;                                   //@ RESIDUAL!
*/
void replace(int *a, int n, int v, int w) {
  for (int i = 0; i < n; i++)
    if (a[i] == v) a[i] = w;
}

int main(void) {
  int t[3] = {1, 5, 2};
  replace(t, 3, 5, 7);
  return t[1] - 7;
}
