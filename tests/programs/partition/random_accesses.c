// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
/* Liu, Rival, VMCAI 2015, figure 12, `complex` (after Cousot, Cousot, Logozzo, POPL 2011). */
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE;
    if (n < 2) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = 0;
    a[n - 1] = -1;
    for (int i = 0; i < n; i++) {
        int index = __VERIFIER_nondet_int(), num = __VERIFIER_nondet_int();
        if (index < 0) index = 0;
        if (index >= n) index = n - 1;
        if (num < 0) num = 0;
        a[index] = num;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      a[k] >= -1
    //@ RESIDUAL!   a[k] >= 0
    return 0;
}
