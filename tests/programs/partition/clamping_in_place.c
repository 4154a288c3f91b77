// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
/* The else branch must remember what it has tested. */
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE;
    if (n < 1) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (a[i] < 0) a[i] = 0;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      a[k] >= 0
    //@ RESIDUAL!   a[k] >= 1
    return 0;
}
