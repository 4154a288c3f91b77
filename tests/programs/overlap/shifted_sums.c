// smalti: --function sums
// Right in place and for arrays that are apart, wrong if the target begins after the source.
/*@ requires \valid(a + (0 .. 2)) && \valid(s + (0 .. 2));
    requires \forall integer k; 0 <= k < 3 ==> 0 <= a[k] < 100;
    ensures s[2] == \old(a[0]) + \old(a[1]) + \old(a[2]);   //@ RESIDUAL!
*/
void sums(const int *a, int *s) {
  int t = 0;
  for (int i = 0; i < 3; i++) {
    t += a[i];
    s[i] = t;
  }
}

int main(void) { return 0; }
