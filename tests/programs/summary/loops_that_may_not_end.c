// smalti: --stages summary --checks assertion
// A counter may step over the number at which a loop ends, or that number may lie before its
// start. Such a loop goes on, and another way out may end it.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i = 0;
    if (n < -9 || n > 9 || m < 1 || m > 9) return 0;
    while (i != n) {
        if (i == 5) break;
        i++;
    }
    __VERIFIER_assert(i == n || i == 5);        //@ PROVED
    __VERIFIER_assert(n >= 0);                  //@ RESIDUAL!  -1 is one of the inputs
    for (int j = 0; j != m; j += 2) {
        __VERIFIER_assert(j >= 0);              //@ PROVED
        __VERIFIER_assert(j < m);               //@ RESIDUAL!  the loop goes past 7
        if (j == 100) return 0;
    }
    return 0;
}
