// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n];
    for (int i = n - 1; i >= 0; i--) a[i] = 7;
    for (int i = 0; i < n; i++) {
        __VERIFIER_assert(a[i] == 7); //@ PROVED
    }
    return 0;
}
