// smalti: --stages domains,summary,induction --function last_place
// What is claimed under a condition holds, so far, in each iteration.
/*@ requires 0 <= n <= 1000 && \valid(a + (0 .. n - 1));
    assigns \nothing;                                                        //@ PROVED
    ensures \result == -1 ==> \forall integer k; 0 <= k < n ==> a[k] != x;   //@ PROVED
    ensures \result == -1 || 0 <= \result < n && a[\result] == x;            //@ PROVED
    ensures \forall integer k; \result < k < n ==> a[k] != x;                //@ PROVED
    ensures \result != -1 ==> \forall integer k; 0 <= k < \result ==> a[k] != x; //@ RESIDUAL!
*/
int last_place(const int *a, int n, int x) {
  int found = -1;
  for (int i = 0; i < n; i++)
    if (a[i] == x) found = i;
  return found;
}

int main(void) {
  int t[3] = {1, 5, 2};
  return last_place(t, 3, 5);
}
