// smalti: --stages summary --checks assertion
// Near misses: how many cells there are of each kind.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 400) return 0;
    int a[n], odd = 0, even = 0, ones = 0, large = 0, table[2] = {0};
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (a[i] % 2 == 0) even++;
        if (a[i] % 2 != 0) odd++;
        if (a[i] % 2 == 1) ones++;
    }
    __VERIFIER_assert(odd + even == n);      //@ PROVED
    //@ RESIDUAL! ones + even == n  the remainder of a negative number is negative
    for (int i = 0; i < n; i++) table[a[i] > 0]++;
    __VERIFIER_assert(table[0] + table[1] == n);      //@ PROVED
    //@ RESIDUAL! table[0] + table[1] == n + 1  the table starts at zero
    for (int i = n - 1; i >= 0; i--)
        if (a[i] > 0) large++;
    __VERIFIER_assert(table[1] == large);      //@ PROVED
    //@ RESIDUAL! table[0] == large  the other cell of the table
    return 0;
}
