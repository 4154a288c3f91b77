// smalti: --stack smash/box
// A call through a pointer calls one of the functions it may point to.
static int one(void) { return 1; }
static int two(void) { return 2; }
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int (*f)(void) = __VERIFIER_nondet_int() ? one : two;
    int r = f();
    //@ RESIDUAL!   r == 1
    //@ RESIDUAL!   r == 2
    return 0;
}
