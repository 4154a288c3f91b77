// smalti: --stages summary --checks assertion
// What an iteration assumes does not hold of the iteration in which the loop ends. Iterations that
// continue keep what they have done, and leave out the rest.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void __VERIFIER_assume(int);

enum { LENGTH = 8 };

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), which = __VERIFIER_nondet_int();
    if (n < 1 || n > 9 || m < 1 || m > 9) return 0;
    int i, all = 0, some = 0;
    for (i = 0; i < n; i++) __VERIFIER_assume(i < m);
    for (i = 0; i < LENGTH; i++) {
        all++;
        if (i == n) continue;
        some++;
    }
    if (which == 1)
        __VERIFIER_assert(n < m);               //@ RESIDUAL!  both may be 3
    if (which == 2)
        __VERIFIER_assert(some == LENGTH);      //@ RESIDUAL!  one continues early
    __VERIFIER_assert(n <= m);                  //@ PROVED
    __VERIFIER_assert(all == LENGTH);           //@ PROVED
    return 0;
}
