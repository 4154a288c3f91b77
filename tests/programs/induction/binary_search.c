// smalti: --stages domains,summary,induction --function find
// All cells before lo are less, all from hi on are greater: for arrays of any size.
/*@ requires n >= 0;
    requires \valid_read(a + (0..n-1));
    requires \forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j];
    ensures -1 <= \result < n;                                                           //@ PROVED
    ensures \result >= 0 ==> a[\result] == v;                                            //@ PROVED
    ensures \result == -1 ==> \forall integer k; 0 <= k < n ==> a[k] != v;               //@ PROVED
*/
int find(const int *a, int n, int v) {
  int lo = 0, hi = n;
  /*@ loop invariant 0 <= lo <= hi <= n;                                                 //@ PROVED
      loop invariant \forall integer k; 0 <= k < lo ==> a[k] < v;                        //@ PROVED
      loop invariant \forall integer k; hi <= k < n ==> a[k] > v; */                     //@ PROVED
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] < v) lo = mid + 1;      //@ PROVED bounds
    else if (a[mid] > v) hi = mid;
    else return mid;
  }
  return -1;
}

int main(void) { int t[3] = {1, 2, 3}; return find(t, 3, 2); }
