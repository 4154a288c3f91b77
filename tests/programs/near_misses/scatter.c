// smalti: --stages summary --checks assertion
// Near misses: cells written at arbitrary places, and sums of all cells.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

static int place(int n) {
    int k = __VERIFIER_nondet_int();
    return 0 <= k && k < n ? k : 0;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 3) return 0;
    int marks[5], table[5][5], given[5], i, j;
    for (i = 0; i < n; i++) marks[i] = given[i] = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) table[i][j] = 0;

    do {
        marks[place(n)] = 1;
    } while (__VERIFIER_nondet_int() > 3);
    long sum = 0;
    for (i = 0; i < n; i++) sum += marks[i];
    __VERIFIER_assert(0 <= sum && sum <= n);      //@ PROVED
    //@ RESIDUAL! sum < n  each cell may be marked
    //@ RESIDUAL! sum != 1  the first one alone

    // Cells above the diagonal alone.
    do {
        int p = place(n), q = place(n);
        if (p < q) table[p][q] = 2;
    } while (__VERIFIER_nondet_int() > 3);
    sum = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) sum += table[i][j];
    __VERIFIER_assert(sum <= n * (n - 1));      //@ PROVED
    //@ RESIDUAL! sum < n * (n - 1)  all of them
    //@ RESIDUAL! sum == 0  one of them

    // As many as were counted.
    int count = 0;
    do {
        int p = __VERIFIER_nondet_int();
        if (0 <= p && p < n) {
            given[p]++;
            count++;
        }
    } while (__VERIFIER_nondet_int() > 3);
    sum = 0;
    for (i = 0; i < n; i++) sum += given[i];
    __VERIFIER_assert(sum == count);      //@ PROVED
    //@ RESIDUAL! sum == 1  none or two
    //@ RESIDUAL! given[0] == count  another place
}
