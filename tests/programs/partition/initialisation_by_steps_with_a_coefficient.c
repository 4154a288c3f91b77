// smalti: --stages domains --stack partition/apron-polyhedra
// smalti: --stages domains --stack partition/apron-polyhedra -D SIZE=24
// smalti: --stages domains --stack partition/apron-polyhedra -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
/* An even number of cells: polyhedra. */
int main(void) {
    int n = SIZE;
    if (n < 1 || n > 1000000000) return 0;
    int a[2 * n];
    for (int i = 0; i < 2 * n; i += 2) {
        a[i] = 3;
        a[i + 1] = 4;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= 2 * n) return 0;
    //@ PROVED      a[k] >= 3 && a[k] <= 4
    //@ RESIDUAL!   a[k] == 3
    return 0;
}
