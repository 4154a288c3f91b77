// smalti: --stages summary --checks assertion
// Near misses: loops in loops.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 60 || k < 1 || k > 60) return 0;
    int pairs = 0, rest = 0, triples = 0, strict = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) pairs++;
    for (int i = 0; i < n; i++)
        for (int j = k; j > 1; j--) rest++;
    __VERIFIER_assert(pairs == n * k);      //@ PROVED
    //@ RESIDUAL! pairs == n * n  the bound of the inner loop
    __VERIFIER_assert(rest == n * (k - 1));      //@ PROVED
    //@ RESIDUAL! rest == (n - 1) * k  the wrong loop ends early
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) triples += j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) strict += i;
    __VERIFIER_assert(triples * 6 == (n - 1) * n * (n + 1));      //@ PROVED
    //@ RESIDUAL! triples * 6 == n * (n + 1) * (n + 2)  by one
    __VERIFIER_assert(strict * 6 == (n - 1) * n * (2 * n - 1));      //@ PROVED
    //@ RESIDUAL! strict == triples  i, not j
    int a[60], all = 0, again = 0, each = 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int() % 1000;
    for (int i = 0; i < n; i++) all += a[i];
    for (int j = 0; j < k; j++)
        for (int i = 0; i < n; i++) again += a[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) each += a[i];
    __VERIFIER_assert(again == k * all);      //@ PROVED
    //@ RESIDUAL! again == n * all  the bound of the outer loop
    int weighted = 0;
    for (int i = 0; i < n; i++) weighted += i * a[i];
    __VERIFIER_assert(each == weighted);      //@ PROVED
    //@ RESIDUAL! each == weighted + all  by one
    return 0;
}
