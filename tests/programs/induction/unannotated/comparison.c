// smalti: --stages domains,induction --function equal
/*@ requires 0 <= n && \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    ensures \result == 1 <==> (\forall integer k; 0 <= k < n ==> a[k] == b[k]);   //@ PROVED
*/
int equal(const int *a, const int *b, int n) {
  for (int i = 0; i < n; i++)
    if (a[i] != b[i]) return 0;
  return 1;
}

int main(void) {
  int t[3] = {1, 5, 2};
  return !equal(t, t, 3);
}
