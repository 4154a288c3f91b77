// smalti: --stages domains --stack partition/octagon
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n], sum[1];
    for (int i = 0; i < n; i++) a[i] = 1;
    sum[0] = 0;
    for (int i = 0; i < n; i++) sum[0] = sum[0] + a[i];
    //@ PROVED      sum[0] == n
    return 0;
}
