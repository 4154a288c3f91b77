// smalti: --stages domains --stack partition/octagon
void fill(int *a, int *b, int n) {
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        b[i] = 1;
    }
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n];
    fill(a, a, n);
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   a[k] == 0
    //@ PROVED      a[k] == 1
    return 0;
}
