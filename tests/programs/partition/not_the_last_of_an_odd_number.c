// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int(), i;
    if (n < 2) return 0;
    int a[n];
    for (i = 0; i < n; i++) a[i] = 0;
    for (i = 0; i + 1 < n; i += 2) {
        a[i] = 3;
        a[i + 1] = 3;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   a[k] == 3
    return 0;
}
