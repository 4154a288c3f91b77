// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2) return 0;
    int a[n];
    int *p = a;
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        p[i / 2] = 1;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   a[k] == 0
    return 0;
}
