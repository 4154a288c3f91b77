// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
/* The index has split cells off before; those that were compared with `max` belong together, not with the untouched ones. */
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE;
    if (n < 1) return 0;
    int a[n], i;
    for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int max = a[0];
    for (i = 0; i < n; i++) {
        if (a[i] > max) max = a[i];
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      a[k] <= max
    //@ RESIDUAL!   a[k] >= max
    return 0;
}
