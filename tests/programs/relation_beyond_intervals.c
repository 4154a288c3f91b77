// smalti: --stack smash/box --stages domains
// The same counters seen by intervals: the relation is lost, but no verdict is wrong.
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
    //@ RESIDUAL    i == j   intervals say nothing about two variables
    //@ PROVED      i >= 0 && i <= 1000
    //@ RESIDUAL!   i < j
    return 0;
}
