// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int(), p = 0;
    if (n < 1) return 0;
    int a[n], positive[n];
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
        positive[i] = -1;
    }
    for (int i = 0; i < n; i++) {
        if (a[i] >= 0) {
            positive[p] = a[i];
            p++;
        }
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   positive[k] >= 0    only below p
    //@ RESIDUAL!   k >= p || positive[k] > 0
    return 0;
}
