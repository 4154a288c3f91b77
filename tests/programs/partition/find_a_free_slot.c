// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE, i;
    if (n < 1) return 0;
    int used[n];
    for (i = 0; i < n; i++) {
        used[i] = __VERIFIER_nondet_int();
        if (used[i] != 0) used[i] = 1;
    }
    for (i = 0; i < n; i++) {
        if (used[i] == 0) break;
    }
    if (i < n) {
        used[i] = 1;
        //@ PROVED      used[i] == 1
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      used[k] >= 0 && used[k] <= 1
    //@ RESIDUAL!   used[k] == 1
    return 0;
}
