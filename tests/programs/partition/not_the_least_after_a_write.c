// smalti: --stages domains --stack partition/octagon
/* The cells are compared with the value of `min`; one is written afterwards. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n], i;
    for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int min = a[0];
    for (i = 0; i < n; i++) {
        if (a[i] < min) min = a[i];
    }
    if (min > -1000) a[n - 1] = min - 1;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   a[k] >= min
    return 0;
}
