// smalti: --stages summary --checks assertion
// Near misses: sums that may wrap around.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000) return 0;
    unsigned a[n], up = 0, down = 0, some = 0;
    unsigned long long wide = 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_uint();
    for (int i = 0; i < n; i++) up += a[i];
    for (int i = n - 1; i >= 0; i--) down += a[i];
    for (int i = 1; i < n; i++) some += a[i];
    for (int i = 0; i < n; i++) wide += a[i];
    __VERIFIER_assert(up == down);      //@ PROVED
    //@ RESIDUAL! up == some  the first cell is missing
    __VERIFIER_assert(up == some + a[0]);      //@ PROVED
    //@ RESIDUAL! some == up + a[0]  the sign
    __VERIFIER_assert((unsigned)wide == up);      //@ PROVED
    //@ RESIDUAL! wide == up  only one of them wraps
    __VERIFIER_assert(wide >= a[0]);      //@ PROVED
    //@ RESIDUAL! up >= a[0]  it wraps
    unsigned left = 5, none = 0;
    for (int i = 0; i < n; i++) left--;
    __VERIFIER_assert(n > 5 || left == 5u - n);      //@ PROVED
    //@ RESIDUAL! left <= 5  it wraps below zero
    for (int i = 0; i < n; i++) none += a[i] - a[n - 1 - i];
    __VERIFIER_assert(none == 0);      //@ PROVED
    //@ RESIDUAL! none == a[0] - a[n - 1]  all of them cancel
    return 0;
}
