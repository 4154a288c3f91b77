// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n];
    for (int *p = a; p < a + n; p++) *p = 4;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      a[k] == 4
    return 0;
}
