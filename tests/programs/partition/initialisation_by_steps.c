// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
/* Two cells in each iteration. */
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE, i;
    if (n < 2) return 0;
    int a[n];
    for (i = 0; i + 1 < n; i += 2) {
        a[i] = 3;
        a[i + 1] = 3;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    if (k < i) {
        //@ PROVED      a[k] == 3
    }
    return 0;
}
