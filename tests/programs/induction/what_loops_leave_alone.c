// smalti: --stages domains,induction --function shift
// The cells that a loop has not come to, and those that it does not touch, need no invariant.
/*@ requires 1 < n;
    requires \valid(a + (0 .. n - 1));
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k + 1] == \old(a[k]);  //@ PROVED
    ensures a[0] == v;                                                     //@ PROVED
*/
void shift(int *a, int n, int v) {
  int i;
  /*@ loop invariant \forall integer k; i <= k < n - 1 ==> a[k + 1] == \at(a[k], Pre); */  //@ PROVED
  for (i = n - 1; i > 0; i--) a[i] = a[i - 1];
  a[0] = v;
}

int main(void) { int t[3] = {1, 2, 3}; shift(t, 3, 4); return t[0]; }
