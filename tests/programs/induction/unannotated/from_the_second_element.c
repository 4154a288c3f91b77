// smalti: --stages domains,induction --function maximum
// The first element is not looked at.
/*@ requires n > 1 && \valid_read(a + (0 .. n - 1));
    ensures \forall integer k; 0 <= k < n ==> a[k] <= \result;     //@ RESIDUAL!
    ensures \forall integer k; 1 <= k < n ==> a[k] <= \result;     //@ PROVED
*/
int maximum(const int *a, int n) {
  int m = a[1];
  for (int i = 2; i < n; i++)
    if (a[i] > m) m = a[i];
  return m;
}

int main(void) {
  int t[3] = {1, 5, 2};
  return maximum(t, 3) - 5;
}
