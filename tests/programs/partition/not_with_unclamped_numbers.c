// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = 0;
    for (int i = 0; i < n; i++) {
        int index = __VERIFIER_nondet_int(), number = __VERIFIER_nondet_int();
        if (index < 0) index = 0;
        if (index >= n) index = n - 1;
        if (number < -2) number = -2;
        a[index] = number;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   a[k] >= -1
    //@ PROVED      a[k] >= -2
    return 0;
}
