// smalti: --stages domains --stack partition/apron-polyhedra
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n];
    long sum = 0;
    for (int i = 0; i < n; i++) a[i] = 2;
    for (int i = 1; i < n; i++) sum = sum + a[i];
    //@ RESIDUAL!   sum == 2L * n
    //@ PROVED      sum == 2L * n - 2
    return 0;
}
