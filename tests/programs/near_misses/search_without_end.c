// smalti: --stages summary --checks assertion
// Near misses: a search that is left by a jump if it finds nothing.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int at = 0;
    for (;;) {
        if (at >= n) goto none;
        if (a[at] > 4) break;
        at++;
    }
    if (a[at] <= 4) reach_error();      //@ PROVED
    if (at > 0 && a[at - 1] > 3) reach_error();      //@ RESIDUAL!  the cell before it
    return 0;
none:
    __VERIFIER_assert(a[n - 1] <= 4);      //@ PROVED
    //@ RESIDUAL! a[n - 1] > -7  it may be less
    return 0;
}
