// smalti: --stack smash/octagon --stages domains --checks bounds
// smalti: --stack smash/apron-octagon --stages domains --checks bounds
// An index that stays below a symbolic length.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 100000);
    int a[n];
    for (int i = 0; i < n; i++) {
        a[i] = 0;                     //@ PROVED bounds
    }
    return 0;
}
