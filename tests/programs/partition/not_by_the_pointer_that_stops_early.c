// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = 0;
    for (int *p = a + 1; p < a + n; p++) *p = 4;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   a[k] == 4
    //@ PROVED      a[0] == 0
    return 0;
}
