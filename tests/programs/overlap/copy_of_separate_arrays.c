// smalti: --function copy
/*@ requires \valid(a + (0 .. n - 1)) && \valid(b + (0 .. n - 1));
    requires \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    ensures \forall integer k; 0 <= k < n ==> b[k] == \old(a[k]);   //@ PROVED
*/
void copy(const int *a, int *b, unsigned n) {
  /*@ loop invariant 0 <= i <= n;
      loop invariant \forall integer k; 0 <= k < i ==> b[k] == \at(a[k], Pre);
      loop invariant \forall integer k; 0 <= k < n ==> a[k] == \at(a[k], Pre);
      loop assigns i, b[0 .. n - 1];
  */
  for (unsigned i = 0; i < n; i++) b[i] = a[i];
}

int main(void) {
  int a[3] = {1, 2, 3}, b[3];
  copy(a, b, 3);
  return 0;
}
