// smalti: --stages domains,induction --function occurrences
// A function of the annotations that is defined by recursion; a lemma about it that is granted.
typedef unsigned int size;

/*@ logic integer count(int *a, integer m, integer n, int v) =
      n <= m ? 0 : count(a, m, n - 1, v) + (a[n - 1] == v ? 1 : 0);
    lemma range: \forall int *a, integer m, n, int v; m <= n ==> 0 <= count(a, m, n, v) <= n - m;
*/

/*@ requires \valid(a + (0 .. n - 1));
    assigns \nothing;                                       //@ PROVED
    ensures \result == count(a, 0, n, v);                   //@ PROVED
    ensures 0 <= \result <= n;                              //@ PROVED
*/
size occurrences(int *a, size n, int v) {
  size found = 0;
  /*@ loop invariant 0 <= i <= n;                           //@ PROVED
      loop invariant found == count(a, 0, i, v);            //@ PROVED
  */
  for (size i = 0; i < n; i++)
    if (a[i] == v) found++;
  return found;
}

int main(void) { int t[3] = {1, 2, 1}; return occurrences(t, 3, 1); }
