// smalti: --stages domains --stack partition/octagon --function part --checks assertion
/* Nothing is known about the cells that the guards exclude. */
/*@ requires 0 < m < n && \valid(a + (0 .. n - 1));
    requires \forall integer k; 0 <= k < m ==> a[k] >= 1;
    requires 0 <= i < n;
*/
void part(int *a, int n, int m, int i) {
    if (i < m) { /*@ check a[i] >= 1; */ }      //@ PROVED
    if (i >= m) { /*@ check a[i] >= 1; */ }     //@ RESIDUAL!
    /*@ check a[i] >= 1; */                     //@ RESIDUAL!
    /*@ check a[0] >= 1; */                     //@ PROVED
    /*@ check a[n] == a[n]; */                  //@ RESIDUAL!
}
int main(void) { return 0; }
