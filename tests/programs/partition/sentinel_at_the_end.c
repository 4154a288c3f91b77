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
    for (int i = 0; i < n - 1; i++) a[i] = 1;
    a[n - 1] = 0;
    //@ PROVED      a[n - 1] == 0
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n - 1) return 0;
    //@ PROVED      a[k] == 1
    //@ RESIDUAL!   a[k + 1] == 1
    return 0;
}
