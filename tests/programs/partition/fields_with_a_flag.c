// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
struct entry { int flag; int value; };
int main(void) {
    int n = SIZE;
    if (n < 1) return 0;
    struct entry t[n];
    for (int i = 0; i < n; i++) {
        t[i].flag = 0;
        t[i].value = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < n; i++) {
        int v = __VERIFIER_nondet_int();
        if (v >= 0 && v < 24) {
            t[i].value = v;
            t[i].flag = 1;
        }
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ PROVED      t[k].flag != 1 || (t[k].value >= 0 && t[k].value < 24)
    //@ RESIDUAL!   t[k].value >= 0
    return 0;
}
