// smalti: --stages summary --checks assertion
// Near misses: loops in steps of two, three and more.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    int a[3 * n + 3], i, ones = 0, sum = 0, down;
    for (i = 0; i < 3 * n + 3; i++) a[i] = 0;
    for (i = 0; i < 3 * n; i += 3) a[i] = 1;
    __VERIFIER_assert(i == 3 * n);      //@ PROVED
    for (i = 0; i < 3 * n + 3; i++) ones += a[i];
    __VERIFIER_assert(ones == n);      //@ PROVED
    //@ RESIDUAL! ones == n + 1  the bound of the loop that sums is another one
    for (int k = 0; k < n; k++) {
        __VERIFIER_assert(a[3 * k] == 1);      //@ PROVED
        //@ RESIDUAL! a[2 * k] == 1  the stride
        __VERIFIER_assert(a[3 * k + 2] == 0);      //@ PROVED
        //@ RESIDUAL! a[3 * k + 3] == 0  the next one
    }
    for (down = n; down > 0; down -= 2) sum++;
    __VERIFIER_assert(down == 0 || down == -1);      //@ PROVED
    //@ RESIDUAL! down == 0  n may be odd
    __VERIFIER_assert(sum == (n + 1) / 2);      //@ PROVED
    //@ RESIDUAL! sum == n / 2  rounded down
    int power = 1;
    while (power <= n) power *= 2;
    __VERIFIER_assert(power > n);      //@ PROVED
    //@ RESIDUAL! power / 2 < n  n may be a power of two
    return 0;
}
