// smalti: --stages summary --checks assertion
// Near misses: rows, columns, diagonals and triangles.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

enum { ROWS = 6, COLUMNS = 9 };

int main(void) {
    int n = __VERIFIER_nondet_int(), m[ROWS][COLUMNS], turned[COLUMNS][ROWS], square[50][50];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) m[i][j] = 10 * i + j;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) turned[j][i] = m[i][j];
    for (int i = 0; i < ROWS; i++) {
        __VERIFIER_assert(turned[0][i] == 10 * i);      //@ PROVED
        //@ RESIDUAL! turned[i][0] == 10 * i  not turned
        __VERIFIER_assert(m[i][COLUMNS - 1] == 10 * i + 8);      //@ PROVED
        //@ RESIDUAL! m[i][COLUMNS - 1] == 10 * (i + 1)  by two
    }
    if (n < 1 || n > 50) return 0;
    int below = 0, above = 0, all = 0, diagonal = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) square[i][j] = i == j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) below++;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) above++;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) all += square[i][j];
    for (int i = 0; i < n; i++) diagonal += square[i][n - 1 - i];
    __VERIFIER_assert(below == n * (n - 1) / 2);      //@ PROVED
    //@ RESIDUAL! below == n * (n + 1) / 2  with the diagonal
    __VERIFIER_assert(below + above == n * n);      //@ PROVED
    //@ RESIDUAL! 2 * below == n * n  without the diagonal
    __VERIFIER_assert(all == n);      //@ PROVED
    //@ RESIDUAL! all == n - 1  one row too few
    __VERIFIER_assert(diagonal == n % 2);      //@ PROVED
    //@ RESIDUAL! diagonal == n  the other diagonal
    return 0;
}
