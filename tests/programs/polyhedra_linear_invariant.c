// smalti: --stack apron-polyhedra --stages domains
// x = 2i: neither intervals nor octagons can express it.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 100);
    int x = 0;
    for (int i = 0; i < n; i++) {
        x += 2;
    }
    //@ PROVED      x == 2 * n
    //@ RESIDUAL!   x == n
    return 0;
}
