// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n];
    for (int i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int())
            a[i] = 1;
        else
            a[i] = 2;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      a[k] >= 1 && a[k] <= 2
    //@ RESIDUAL!   a[k] == 1
    return 0;
}
