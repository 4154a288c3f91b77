// smalti: --stages summary --checks assertion
// A pointer to one of two objects writes the one that it points to, and not the other.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), x = 0, y = 0;
    int *one = n > 0 ? &x : &y;
    *one = 5;
    __VERIFIER_assert(x + y == 5);          //@ PROVED
    __VERIFIER_assert(*one == 5);           //@ PROVED
    int which = __VERIFIER_nondet_int();
    if (which == 1)
        __VERIFIER_assert(y == 0);          //@ RESIDUAL!  it is 5 if n is 0
    if (which == 2)
        __VERIFIER_assert(x == 5);          //@ RESIDUAL!  it is 0 if n is 0
    return 0;
}
