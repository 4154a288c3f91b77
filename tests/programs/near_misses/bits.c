// smalti: --stages summary --checks assertion
// Near misses: what loops do with bits.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 30) return 0;
    unsigned a[n], all = 0, reversed = 0, some = 0, power = 1, mask = 0, up = 0, down = 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_uint();
    for (int i = 0; i < n; i++) all ^= a[i];
    for (int i = n - 1; i >= 0; i--) reversed ^= a[i];
    __VERIFIER_assert(all == reversed);      //@ PROVED
    //@ RESIDUAL! all != 0  equal bits cancel
    for (int i = 1; i < n; i++) some ^= a[i];
    __VERIFIER_assert(all == (some ^ a[0]));      //@ PROVED
    //@ RESIDUAL! all == some  the first cell is missing
    for (int i = 0; i < n; i++) up |= a[i];
    for (int i = n - 1; i >= 0; i--) down |= a[i];
    __VERIFIER_assert(up == down);      //@ PROVED
    //@ RESIDUAL! up == all  the other operator
    for (int i = 0; i < n; i++) power <<= 1;
    __VERIFIER_assert(power == 1u << n);      //@ PROVED
    //@ RESIDUAL! power == 1u << (n - 1)  by one bit
    for (int i = 0; i < n; i++) mask = 2 * mask + 1;
    __VERIFIER_assert(mask == power - 1);      //@ PROVED
    //@ RESIDUAL! mask == power  by one
    return 0;
}
