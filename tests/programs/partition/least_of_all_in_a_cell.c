// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
/* Cells are compared with a cell of another array. */
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE;
    if (n < 1) return 0;
    int a[n], min[1], i;
    for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    min[0] = 0;
    for (i = 0; i < n; i++) {
        if (a[i] < min[0]) min[0] = a[i];
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      a[k] >= min[0]
    //@ PROVED      min[0] <= 0
    //@ RESIDUAL!   a[k] >= 0
    return 0;
}
