// smalti: --stages domains --stack partition/octagon
struct entry { int flag; int value; };
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2) return 0;
    struct entry t[n];
    for (int i = 0; i < n; i++) {
        t[i].flag = i == 0;
        t[i].value = i == 0 ? 5 : 6;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    //@ RESIDUAL!   t[k].value == 5
    //@ RESIDUAL!   t[k].flag == 0
    //@ PROVED      t[k].value >= 5 && t[k].value <= 6
    return 0;
}
