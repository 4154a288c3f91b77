// smalti: --stages domains,induction --function selection
// An order of all pairs of cells, by nested loops and exchanges.
/*@ requires n >= 0;
    requires \valid(a + (0..n-1));
    ensures \forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j];                       //@ PROVED
*/
void selection(int *a, int n) {
  int i, j, m, t;
  /*@ loop invariant 0 <= i <= n;                                                        //@ PROVED
      loop invariant \forall integer k, l; 0 <= k < i && k < l < n ==> a[k] <= a[l]; */  //@ PROVED
  for (i = 0; i < n; i++) {
    m = i;
    /*@ loop invariant i < j <= n && i <= m < n;                                         //@ PROVED
        loop invariant \forall integer l; i <= l < j ==> a[m] <= a[l]; */                //@ PROVED
    for (j = i + 1; j < n; j++) if (a[j] < a[m]) m = j;
    t = a[i]; a[i] = a[m]; a[m] = t;
  }
}

int main(void) { int t[3] = {1, 2, 3}; selection(t, 3); return t[0]; }
