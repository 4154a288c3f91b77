// smalti: --stages domains,induction --function copy
/*@ requires 0 <= n && \valid(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    requires \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    assigns a[0 .. n - 1];                                         //@ PROVED
    ensures \forall integer k; 0 <= k < n ==> a[k] == b[k];        //@ PROVED
*/
void copy(int *a, const int *b, int n) {
  for (int i = 0; i < n; i++) a[i] = b[i];
}

int main(void) {
  int t[3] = {1, 5, 2}, s[3];
  copy(s, t, 3);
  return s[1] - 5;
}
