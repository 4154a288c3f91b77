// smalti: --stages summary --checks assertion
// The cell that an iteration reads may have been written by another statement than the one that
// writes the cell beside it.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), a[18], b[18];
    if (n < 2 || n > 6) return 0;
    for (int i = 0; i < 18; i++) a[i] = b[i] = 0;
    for (int i = 2; i <= n; i++) {
        a[i + 1] = a[i] + 4;
        for (int j = 0; j < n; j++) a[j + 1] = j + 4;
    }
    if (n == 3)
        __VERIFIER_assert(a[4] == 8);       //@ RESIDUAL!  it is 10: a[3] was 6
    // Here it is the same statement.
    for (int i = 2; i <= n; i++) {
        b[i + 1] = b[i] + 4;
        for (int j = 0; j < 2; j++) b[j] = j + 4;
    }
    __VERIFIER_assert(b[n + 1] == 4 * n - 4);       //@ PROVED
    return 0;
}
