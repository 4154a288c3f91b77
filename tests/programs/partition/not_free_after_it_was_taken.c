// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int(), i;
    if (n < 1) return 0;
    int used[n];
    for (i = 0; i < n; i++) {
        used[i] = 0;
        if (__VERIFIER_nondet_int() > 0) used[i] = 1;
    }
    for (i = 0; i < n; i++) {
        if (used[i] == 0) break;
    }
    //@ RESIDUAL!   i < n    no slot may be free
    if (i >= n) return 0;
    used[i] = 1;
    //@ RESIDUAL!   used[i] == 0
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   used[k] == 1    others may still be free
    return 0;
}
