// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE;
    if (n < 1) return 0;
    int a[n];
    for (int i = n - 1; i >= 0; i--) a[i] = 7;
    for (int i = 0; i < n; i++) {
        __VERIFIER_assert(a[i] == 7); //@ PROVED
    }
    return 0;
}
