// smalti: --stack smash/octagon --stages domains
// smalti: --stack smash/apron-octagon --stages domains
// Two counters that run in step: intervals cannot express it, octagons can.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 1000);
    int i = 0, j = 0;
    while (i < n) {
        i++;
        j++;
    }
    //@ PROVED      i == j
    //@ PROVED      j == n
    //@ RESIDUAL!   j == 1000
    return 0;
}
