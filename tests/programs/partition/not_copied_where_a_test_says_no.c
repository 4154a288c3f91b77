// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n], b[n];
    for (int i = 0; i < n; i++) {
        a[i] = 5;
        b[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int()) b[i] = a[i];
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   b[k] == 5
    //@ RESIDUAL!   a[k] == b[k]
    return 0;
}
