// smalti: --stages domains --stack partition/octagon
/* Cells that were compared with the old value of `min` are no longer above it. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n], i;
    for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int min = a[0];
    for (i = 0; i < n; i++) {
        if (a[i] < min || a[i] == 7) min = a[i];
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   a[k] >= min
    return 0;
}
