// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2) return 0;
    int a[n];
    for (int i = 0; i < n - 1; i++) a[i + 1] = i;
    a[0] = 0;
    int k = __VERIFIER_nondet_int();
    if (k < 1 || k >= n) return 0;
    //@ PROVED      a[k] == k - 1
    //@ RESIDUAL!   a[k] == k
    return 0;
}
