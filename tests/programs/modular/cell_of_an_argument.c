// smalti: --stages domains,summary,induction --function f
// The contract does not say that the cell exists which it lists.
/*@ assigns a[i]; */
void set(int *a, int n, int i);

/*@ requires \valid(a + (0 .. n - 1)) && 0 < n < 100;
    ensures 0 <= i < n;                                                     //@ RESIDUAL!
*/
void f(int *a, int n, int i) {
  set(a, n, i);
}

int main(void) { return 0; }
