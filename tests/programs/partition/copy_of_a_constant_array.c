// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE;
    if (n < 1) return 0;
    int a[n], b[n];
    for (int i = 0; i < n; i++) a[i] = 5;
    for (int i = 0; i < n; i++) b[i] = a[i];
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      b[k] == 5
    //@ PROVED      a[k] == b[k]
    return 0;
}
