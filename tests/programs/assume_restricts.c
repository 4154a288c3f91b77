// smalti: --stack smash/box --stages domains
// The ways to assume something: a specification function, and abort.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);

static void assume_abort_if_not(int c) {
    if (!c) {
        abort();
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 5);
    //@ PROVED      x >= 6
    assume_abort_if_not(x < 9);
    //@ PROVED      x <= 8
    //@ RESIDUAL!   x == 7
    return 0;
}
