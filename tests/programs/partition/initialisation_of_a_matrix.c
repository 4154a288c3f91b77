// smalti: --stages domains --stack partition/apron-polyhedra
// smalti: --stages domains --stack partition/apron-polyhedra -D SIZE=24
// smalti: --stages domains --stack partition/apron-polyhedra -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
/* Cells are numbered row by row: the written cells end at 24 * i + j, which an octagon cannot express. */
int main(void) {
    int n = SIZE;
    if (n < 1) return 0;
    int a[n][24];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 24; j++) a[i][j] = 5;
    int k = __VERIFIER_nondet_int(), l = __VERIFIER_nondet_int();
    if (k < 0 || k >= n || l < 0 || l >= 24) return 0;
    //@ PROVED      a[k][l] == 5
    //@ RESIDUAL!   a[k][l] == 6
    return 0;
}
