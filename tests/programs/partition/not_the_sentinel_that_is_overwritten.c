// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2) return 0;
    int a[n];
    a[n - 1] = 0;
    for (int i = 0; i < n; i++) a[i] = 1;
    //@ RESIDUAL!   a[n - 1] == 0
    //@ PROVED      a[n - 1] == 1
    return 0;
}
