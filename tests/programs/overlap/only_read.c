// smalti: --function equal
// Nothing is written, so overlap makes no difference.
/*@ requires \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    ensures \result == 1 ==> (\forall integer k; 0 <= k < n ==> a[k] == b[k]);   //@ PROVED
*/
int equal(const int *a, const int *b, unsigned n) {
  /*@ loop invariant 0 <= i <= n;                                             //@ PROVED
      loop invariant \forall integer k; 0 <= k < i ==> a[k] == b[k];          //@ PROVED
  */
  for (unsigned i = 0; i < n; i++)
    if (a[i] != b[i]) return 0;
  return 1;
}

int main(void) {
  int t[3] = {1, 2, 3};
  return !equal(t, t, 3);
}
