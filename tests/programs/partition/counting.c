// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int(), count = 0;
    if (n < 1) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = 1;
    for (int i = 0; i < n; i++) {
        if (a[i] == 1) count++;
    }
    //@ PROVED      count == n
    return 0;
}
