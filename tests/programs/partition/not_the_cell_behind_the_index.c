// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2) return 0;
    int a[n];
    int i;
    for (i = 0; i < n - 1; i++) a[i] = 0;
    //@ RESIDUAL!   a[i] == 0
    //@ PROVED      a[i - 1] == 0
    return 0;
}
