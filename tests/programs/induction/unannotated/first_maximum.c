// smalti: --stages domains,induction --function first_maximum
/*@ requires n > 0 && \valid_read(a + (0 .. n - 1));
    assigns \nothing;                                              //@ PROVED
    ensures 0 <= \result < n;                                      //@ PROVED
    ensures \forall integer k; 0 <= k < n ==> a[k] <= a[\result];  //@ PROVED
*/
int first_maximum(const int *a, int n) {
  int m = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[m]) m = i;
  return m;
}

int main(void) {
  int t[3] = {1, 5, 2};
  return first_maximum(t, 3) - 1;
}
