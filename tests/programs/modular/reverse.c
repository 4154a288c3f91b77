// smalti: --stages domains,induction --function reverse
// The cells of the start, and exchanges by contract at moving places.
/*@ requires \valid(p) && \valid(q);
    assigns *p, *q;
    ensures *p == \old(*q) && *q == \old(*p);
*/
void exchange(int *p, int *q);

/*@ predicate turned{K, L}(int *a, integer low, integer high, integer n) =
      \forall integer k; low <= k < high ==> \at(a[k], L) == \at(a[n - 1 - k], K);
*/

/*@ requires 0 <= n;
    requires \valid(a + (0 .. n - 1));
    assigns a[0 .. n - 1];                                                //@ PROVED
    ensures turned{Pre, Here}(a, 0, n, n);                                //@ PROVED
*/
void reverse(int *a, int n) {
  int i = 0;
  /*@ loop invariant 0 <= i <= n / 2;                                     //@ PROVED
      loop invariant turned{Pre, Here}(a, 0, i, n);                       //@ PROVED
      loop invariant turned{Pre, Here}(a, n - i, n, n);                   //@ PROVED
      loop invariant \forall integer k; i <= k < n - i ==> a[k] == \at(a[k], Pre); //@ PROVED
      loop assigns i, a[0 .. n - 1];                                      //@ PROVED
  */
  while (i < n / 2) {
    exchange(a + i, a + (n - 1 - i));
    i++;
  }
}

/*@ requires 0 < n;
    requires \valid(a + (0 .. n - 1));
    ensures turned{Old, Here}(a, 0, n, n);
*/
void wrong(int *a, int n) {
  /*@ loop invariant 0 <= i <= n; */
  for (int i = 0; i < n; i++) exchange(a + i, a + (n - 1 - i));
}

int main(void) { int t[3] = {1, 2, 3}; reverse(t, 3); return t[0]; }
