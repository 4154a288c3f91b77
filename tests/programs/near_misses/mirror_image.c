// smalti: --stages summary --checks assertion
// Near misses: a cell and its mirror image are written together.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), table[5][5], i, j;
    if (n < 2 || n > 3) return 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) table[i][j] = 0;
    do {
        int p = __VERIFIER_nondet_int() & 1, q = __VERIFIER_nondet_int() & 1;
        table[p][q] = 1;
        table[q][p] = -1;
    } while (__VERIFIER_nondet_int() > 3);
    long sum = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) sum += table[i][j];
    __VERIFIER_assert(-n <= sum && sum <= 0);      //@ PROVED
    //@ RESIDUAL! sum == 0  a cell on the diagonal is its own image
    //@ RESIDUAL! sum > -2  both cells on the diagonal
}
