// smalti: --stages summary --checks assertion
// Near misses: loops that are left early, or that leave out some iterations.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), limit = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || limit < 0 || limit > 1000) return 0;
    int i, sum = 0, steps = 0, rounds = 0, pairs = 0;
    // Adds 1, 2, 3 and so on until the limit is passed.
    for (i = 1; i <= n; i++) {
        if (sum > limit) break;
        sum += i;
    }
    __VERIFIER_assert(2 * sum == i * (i - 1));      //@ PROVED
    //@ RESIDUAL! 2 * sum == i * (i + 1)  the last one was not added
    __VERIFIER_assert(sum > limit || i == n + 1);      //@ PROVED
    //@ RESIDUAL! sum > limit || i == n  i is one further
    //@ RESIDUAL! sum <= limit || i <= n  it may be passed by the last one
    // The inner loop is left, the outer one goes on.
    for (i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (j == i) break;
            pairs++;
        }
        rounds++;
    }
    __VERIFIER_assert(rounds == n);      //@ PROVED
    //@ RESIDUAL! rounds == 1  only the inner loop is left
    __VERIFIER_assert(2 * pairs == n * (n - 1));      //@ PROVED
    //@ RESIDUAL! 2 * pairs == n * (n + 1)  the test is before the count
    for (i = 0; i < n; i++) {
        if (i % 4 == 3) continue;
        steps++;
    }
    __VERIFIER_assert(n % 4 || 4 * steps == 3 * n);      //@ PROVED
    //@ RESIDUAL! 4 * steps == 3 * n  n need not be a multiple of 4
    return 0;
}
