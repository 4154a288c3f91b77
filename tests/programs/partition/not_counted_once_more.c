// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2) return 0;
    int a[n];
    int count = 0;
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = 1; i < n; i++) if (a[i] >= 0) count++;
    //@ RESIDUAL!   count == n
    //@ PROVED      count == n - 1
    return 0;
}
