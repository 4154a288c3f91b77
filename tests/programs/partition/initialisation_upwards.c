// smalti: --stages domains --stack partition/octagon
/* Cells below n, for any n. */
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = 0;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      a[k] == 0
    //@ RESIDUAL!   a[k] == 1
    return 0;
}
