// smalti: --stages domains --stack partition/octagon
/* A negative bound is no bound on cells: the loop does not run. */
int main(void) {
    int n = __VERIFIER_nondet_int(), a[8];
    if (n >= 0) return 0;
    for (int i = 0; i < 8; i++) a[i] = 1;
    for (int i = 0; i < n; i++) a[i] = 0;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= 8) return 0;
    //@ RESIDUAL!   a[k] == 0
    //@ PROVED      a[k] == 1
    return 0;
}
