// smalti: --stages domains,induction --function max_at
// The last of the greatest cells is claimed to be the first.
/*@ requires n >= 1;
    requires \valid_read(a + (0..n-1));
    ensures 0 <= \result < n;                                                            //@ PROVED
    ensures \forall integer k; 0 <= k < n ==> a[k] <= a[\result];                        //@ PROVED
    ensures \forall integer k; 0 <= k < \result ==> a[k] < a[\result]; //@ RESIDUAL!  not the first
*/
int max_at(const int *a, int n) {
  int m = 0, i;
  /*@ loop invariant 1 <= i <= n && 0 <= m < i;                                          //@ PROVED
      loop invariant \forall integer k; 0 <= k < i ==> a[k] <= a[m]; */                  //@ PROVED
  for (i = 1; i < n; i++) if (a[i] >= a[m]) m = i;
  return m;
}

int main(void) { int t[3] = {1, 2, 3}; return max_at(t, 3); }
