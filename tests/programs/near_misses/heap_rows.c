// smalti: --stages summary --checks assertion
// Near misses: rows that are blocks of their own.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 100) return 0;
    int **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) {
        rows[i] = malloc(3 * sizeof **rows);
        rows[i][0] = i;
        rows[i][1] = 1;
        rows[i][2] = 2 * i;
    }
    int sum = 0, ends = 0;
    for (int i = 0; i < n; i++) sum += rows[i][0] + rows[i][1];
    __VERIFIER_assert(sum == n * (n + 1) / 2);      //@ PROVED
    //@ RESIDUAL! sum == n * (n - 1) / 2  the second column
    for (int i = 0; i < n; i++) {
        __VERIFIER_assert(rows[i][2] == 2 * rows[i][0]);      //@ PROVED
        //@ RESIDUAL! rows[i][2] == 2 * rows[i][1]  the column
    }
    int *last = rows[n - 1];
    last[1] = 100;
    for (int i = 0; i < n; i++) ends += rows[i][1];
    __VERIFIER_assert(ends == n + 99);      //@ PROVED
    //@ RESIDUAL! ends == n  the last row was written by another name
    rows[0] = rows[1];
    rows[0][0] = 50;
    __VERIFIER_assert(rows[1][0] == 50);      //@ PROVED
    //@ RESIDUAL! rows[1][0] == 1  it is the same row
    return 0;
}
