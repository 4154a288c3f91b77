// smalti: --stages summary --checks assertion
// Near misses: whether some cell, or every cell, is such.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

static int sorted(const int *cells, int n) {
    for (int i = 0; i + 1 < n; i++)
        if (cells[i] > cells[i + 1]) return 0;
    return 1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 400) return 0;
    int a[n], any = 0, all = 1, twos = 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        if (a[i] == 2) any = 1;
    for (int i = 0; i < n; i++)
        if (a[i] == 2) twos++;
    __VERIFIER_assert(any == (twos > 0));      //@ PROVED
    //@ RESIDUAL! any == (twos > 1)  one is enough
    for (int i = 0; i < n; i++)
        if (a[i] != 2) all = 0;
    __VERIFIER_assert(all == (twos == n));      //@ PROVED
    //@ RESIDUAL! all == any  some are not all
    int in_order = sorted(a, n);
    __VERIFIER_assert(!in_order || a[n - 2] <= a[n - 1]);      //@ PROVED
    //@ RESIDUAL! !in_order || a[n - 2] < a[n - 1]  equal cells are sorted
    //@ RESIDUAL! in_order || a[n - 2] > a[n - 1]  another pair may be wrong
    return 0;
}
