// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE;
    if (n < 1) return 0;
    int a[n], sum[1];
    for (int i = 0; i < n; i++) a[i] = 1;
    sum[0] = 0;
    for (int i = 0; i < n; i++) sum[0] = sum[0] + a[i];
    //@ PROVED      sum[0] == n
    return 0;
}
