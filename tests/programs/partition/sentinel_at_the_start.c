// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE;
    if (n < 2) return 0;
    int a[n];
    a[0] = -1;
    for (int i = 1; i < n; i++) a[i] = 1;
    //@ PROVED      a[0] == -1
    int k = __VERIFIER_nondet_int();
    if (k < 1 || k >= n) return 0;
    //@ PROVED      a[k] == 1
    //@ RESIDUAL!   a[k - 1] == 1
    return 0;
}
