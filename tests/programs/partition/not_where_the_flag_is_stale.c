// smalti: --stages domains --stack partition/octagon
struct entry { int flag; int value; };
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    struct entry t[n];
    for (int i = 0; i < n; i++) {
        t[i].flag = 1;
        t[i].value = 7;
    }
    int j = __VERIFIER_nondet_int();
    if (j < 0 || j >= n) return 0;
    t[j].value = 99;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   t[k].flag != 1 || t[k].value < 24
    //@ PROVED      t[j].flag == 1 && t[j].value == 99
    return 0;
}
