// smalti: --function copy
// What was read may have been written before, if the target begins inside of the source.
/*@ requires \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    ensures \forall integer k; 0 <= k < n ==> b[k] == \old(a[k]);   //@ RESIDUAL!
*/
void copy(const int *a, int *b, unsigned n) {
  /*@ loop invariant 0 <= i <= n;
      loop assigns i, b[0 .. n - 1];
  */
  for (unsigned i = 0; i < n; i++) b[i] = a[i];
}

int main(void) { return 0; }
