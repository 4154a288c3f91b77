// smalti: --stages domains,induction --function selection
// The last cell is never exchanged.
/*@ requires n >= 0;
    requires \valid(a + (0..n-1));
    ensures \forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j];
*/
void selection(int *a, int n) {
  int i, j, m, t;
  /*@ loop invariant 0 <= i <= n;                                                        //@ PROVED
      loop invariant \forall integer k, l; 0 <= k < i && k < l < n ==> a[k] <= a[l]; */  //@ RESIDUAL!  the last cell is not looked at
  for (i = 0; i < n; i++) {
    m = i;
    /*@ loop invariant i < j && i <= m < n;                                              //@ PROVED
        loop invariant \forall integer l; i <= l < j ==> a[m] <= a[l]; */                //@ PROVED
    for (j = i + 1; j < n - 1; j++) if (a[j] < a[m]) m = j;
    t = a[i]; a[i] = a[m]; a[m] = t;
  }
}
