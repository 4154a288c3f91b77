// smalti: --stages summary --checks assertion
// Near misses: greatest and least cells.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 500) return 0;
    int a[n], few[4], at = 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int greatest = a[0], least = a[0], from_zero = 0, but_last = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > greatest) greatest = a[i];
    for (int i = n - 1; i > 0; i--) least = a[i] < least ? a[i] : least;
    for (int i = 0; i < n; i++)
        if (a[i] > from_zero) from_zero = a[i];
    for (int i = 1; i < n - 1; i++)
        if (a[i] > but_last) but_last = a[i];
    for (int i = 0; i < n; i++) {
        if (a[i] > greatest) reach_error();      //@ PROVED
        //@ RESIDUAL! a[i] < greatest  one of them is the greatest
        //@ RESIDUAL! a[i] <= but_last  the last cell is missing
    }
    __VERIFIER_assert(greatest >= least);      //@ PROVED
    //@ RESIDUAL! greatest > least  all may be equal
    __VERIFIER_assert(from_zero >= 0);      //@ PROVED
    //@ RESIDUAL! from_zero == greatest  all may be negative
    for (int i = 0; i < 4; i++) few[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < 4; i++)
        if (few[i] > few[at]) at = i;
    __VERIFIER_assert(few[0] <= few[at]);      //@ PROVED
    //@ RESIDUAL! few[0] < few[at]  it may be the greatest
    return 0;
}
