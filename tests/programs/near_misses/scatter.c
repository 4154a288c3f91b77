// smalti: --stages summary --checks assertion
// Near misses: cells written at arbitrary places, and sums of all cells.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void __VERIFIER_assume(int);

static int place(int n) {
    int k = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= k && k < n);
    return k;
}

int main(void) {
    int n = place(5);
    __VERIFIER_assume(n > 1);
    int marks[5], table[5][5], given[5], taken[5], i, j;
    for (i = 0; i < n; i++) marks[i] = given[i] = taken[i] = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) table[i][j] = 0;

    do {
        marks[place(n)] = 1;
    } while (__VERIFIER_nondet_int());
    long sum = 0;
    for (i = 0; i < n; i++) sum += marks[i];
    __VERIFIER_assert(0 <= sum && sum <= n);      //@ PROVED
    //@ RESIDUAL! sum < n  each cell may be marked
    //@ RESIDUAL! sum != 1  the first one alone

    // Cells above the diagonal alone.
    do {
        int p = place(n), q = place(n);
        if (p < q) table[p][q] = 2;
    } while (__VERIFIER_nondet_int());
    sum = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) sum += table[i][j];
    __VERIFIER_assert(sum <= n * (n - 1));      //@ PROVED
    //@ RESIDUAL! sum < n * (n - 1)  all of them
    //@ RESIDUAL! sum <= n  for n of 3

    // A cell and its mirror image.
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) table[i][j] = 0;
    do {
        int p = place(n), q = place(n);
        table[p][q] = 1;
        table[q][p] = -1;
    } while (__VERIFIER_nondet_int());
    sum = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) sum += table[i][j];
    __VERIFIER_assert(-n <= sum && sum <= 0);      //@ PROVED
    //@ RESIDUAL! sum == 0  a cell on the diagonal is its own image
    //@ RESIDUAL! sum > -n  all cells on the diagonal

    // What one side gives, the other one takes.
    int r = 0;
    do {
        int p = place(n), q = place(n);
        __VERIFIER_assume(taken[q] == 0);
        given[p] += r;
        taken[q] = r;
        r++;
    } while (r < n && __VERIFIER_nondet_int());
    long all = 0, back = 0;
    for (i = 0; i < n; i++) all += given[i];
    for (i = 0; i < n; i++) back += taken[i];
    __VERIFIER_assert(all == back);      //@ PROVED
    //@ RESIDUAL! all == 0  the second iteration gives 1
    //@ RESIDUAL! 2 * all == n * (n - 1)  the loop may end sooner
}
