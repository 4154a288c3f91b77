// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int(), i;
    if (n < 1) return 0;
    int used[n];
    for (i = 0; i < n; i++) {
        used[i] = __VERIFIER_nondet_int();
        if (used[i] != 0) used[i] = 1;
    }
    for (i = 0; i < n; i++) {
        if (used[i] == 0) break;
    }
    if (i < n) {
        used[i] = 1;
        //@ PROVED      used[i] == 1
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      used[k] >= 0 && used[k] <= 1
    //@ RESIDUAL!   used[k] == 1
    return 0;
}
