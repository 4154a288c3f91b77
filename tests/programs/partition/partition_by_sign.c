// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE, p = 0, q = 0;
    if (n < 1) return 0;
    int a[n], positive[n], negative[n];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (a[i] >= 0) {
            positive[p] = a[i];
            p++;
        } else {
            negative[q] = a[i];
            q++;
        }
    }
    //@ PROVED      p <= n
    int k = __VERIFIER_nondet_int();
    if (k < 0) return 0;
    if (k < p) {
        //@ PROVED      positive[k] >= 0
        //@ RESIDUAL!   positive[k] > 0
    }
    if (k < q) {
        //@ PROVED      negative[k] < 0
        //@ RESIDUAL!   negative[k] < -1
    }
    return 0;
}
