// smalti: --stages summary --checks assertion
// Near misses: jumps over some code, and out of two loops.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), limit = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || limit < 0 || limit > 1000) return 0;
    int found = -1, left = 0, skipped = 0, others = 0, size = n;
    if (n > limit) goto end;
    size = limit;
    if (size < n) reach_error();      //@ PROVED
end:
    if (size < n) reach_error();      //@ PROVED
    //@ RESIDUAL! size == limit  a jump comes here
    for (int i = 0; i < n; i++) {
        if (i % 2) goto next;
        others++;
        continue;
    next:
        skipped++;
    }
    __VERIFIER_assert(skipped == n / 2);      //@ PROVED
    //@ RESIDUAL! skipped == (n + 1) / 2  the others
    __VERIFIER_assert(others + skipped == n);      //@ PROVED
    //@ RESIDUAL! others == skipped  n may be odd
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i + j == limit) {
                found = i;
                goto out;
            }
    left = 1;
out:
    __VERIFIER_assert(left == (found < 0));      //@ PROVED
    //@ RESIDUAL! left == (found <= 0)  it may be the first row
    //@ RESIDUAL! left == (limit >= n)  the indexes are added up
    return 0;
}
