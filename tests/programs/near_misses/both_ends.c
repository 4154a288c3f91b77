// smalti: --stages summary --checks assertion
// Near misses: two indexes that meet in the middle.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int a[n], low = 0, high = n - 1, marked = 0;
    for (int i = 0; i < n; i++) a[i] = 0;
    while (low < high) {
        a[low] = 1;
        a[high] = 2;
        low++;
        high--;
    }
    __VERIFIER_assert(low == n / 2);      //@ PROVED
    //@ RESIDUAL! low == (n + 1) / 2  rounded up
    __VERIFIER_assert(high == (n - 1) / 2);      //@ PROVED
    //@ RESIDUAL! high == low  they have passed each other if n is even
    for (int i = 0; i < n; i++) marked += a[i] != 0;
    __VERIFIER_assert(marked == n / 2 * 2);      //@ PROVED
    //@ RESIDUAL! marked == n  the middle one
    for (int i = 0; i < n / 2; i++) {
        __VERIFIER_assert(a[i] == 1 && a[n - 1 - i] == 2);      //@ PROVED
        //@ RESIDUAL! a[n / 2 + i] == 2  from the middle one on
    }
    __VERIFIER_assert(n < 2 || a[n - 1] == 2);      //@ PROVED
    //@ RESIDUAL! a[n - 1] == 2  n may be 1
    low = 0;
    high = n;
    // Here they meet.
    while (low != high) {
        if (low < high - 1) low++;
        high--;
    }
    __VERIFIER_assert(low == high);      //@ PROVED
    //@ RESIDUAL! low > 0  n may be 1
    //@ RESIDUAL! low == (n + 1) / 2  rounded up
    return 0;
}
