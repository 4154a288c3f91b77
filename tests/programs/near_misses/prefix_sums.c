// smalti: --stages summary --checks assertion
// Near misses: sums of the first cells, of the last cells, and of differences.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 100) return 0;
    long long a[n], first[n + 1], last[n], all = 0, steps = 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) all += a[i];
    first[0] = 0;
    for (int i = 0; i < n; i++) first[i + 1] = first[i] + a[i];
    __VERIFIER_assert(first[n] == all);      //@ PROVED
    //@ RESIDUAL! first[n - 1] == all  one cell too early
    __VERIFIER_assert(first[2] == a[0] + a[1]);      //@ PROVED
    //@ RESIDUAL! first[1] == a[0] + a[1]  the index
    last[n - 1] = a[n - 1];
    for (int i = n - 2; i >= 0; i--) last[i] = last[i + 1] + a[i];
    __VERIFIER_assert(last[0] == all);      //@ PROVED
    //@ RESIDUAL! last[1] == all  the first cell is missing
    for (int i = 1; i < n; i++) steps += a[i] - a[i - 1];
    __VERIFIER_assert(steps == a[n - 1] - a[0]);      //@ PROVED
    //@ RESIDUAL! steps == a[0] - a[n - 1]  the sign
    //@ RESIDUAL! steps == a[n - 1]  the first cell
    return 0;
}
