// smalti: --stages summary --checks assertion
// Near misses: cells that are kept, and moved to the front.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int a[n], b[n], kept = 0, others = 0, negative = 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        if (a[i] >= 0) b[kept++] = a[i];
    for (int i = 0; i < n; i++) {
        if (a[i] < 0) negative++;
        if (a[i] <= 0) others++;
    }
    __VERIFIER_assert(kept + negative == n);      //@ PROVED
    //@ RESIDUAL! kept + others == n  zeros are counted twice
    __VERIFIER_assert(kept <= n);      //@ PROVED
    //@ RESIDUAL! kept < n  all may be kept
    long long sum = 0, same = 0, more = 0;
    for (int i = 0; i < kept; i++) sum += b[i];
    for (int i = n - 1; i >= 0; i--) {
        if (a[i] > 0) same += a[i];
        if (a[i] >= -1) more += a[i];
    }
    __VERIFIER_assert(sum == same);      //@ PROVED
    //@ RESIDUAL! sum == more  -1 is not kept
    for (int i = 0; i < kept; i++) {
        if (b[i] < 0) reach_error();      //@ PROVED
        if (b[i] <= 0) reach_error();      //@ RESIDUAL!  a zero is kept
    }
    return 0;
}
