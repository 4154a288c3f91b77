// smalti: --stages domains,summary,induction --function running
// A variable is the cell that the last iteration wrote; cells are between multiples of bounds.
/*@ requires 1 <= n <= 1000;
    requires \valid(a + (0 .. n - 1)) && \valid(s + (0 .. n - 1)) && \separated(a + (0 .. n - 1), s + (0 .. n - 1));
    requires \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 100;
    ensures s[0] == a[0];                                             //@ PROVED
    ensures \forall integer k; 0 < k < n ==> s[k] == s[k - 1] + a[k]; //@ PROVED
    ensures \result == s[n - 1];                                      //@ PROVED
    ensures \result == s[0];                                          //@ RESIDUAL!
*/
int running(const int *a, int *s, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i];
    s[i] = sum;
  }
  return sum;
}

int main(void) {
  int t[3] = {1, 5, 2}, s[3];
  return running(t, s, 3);
}
