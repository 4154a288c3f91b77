// Fills one row of a matrix. The other rows stay.
// by pointer: p is at 20*row + i
// open: invariants
#include <assert.h>
#define N 8
#define M 20
extern int __VERIFIER_nondet_int(void);
int m[N][M];

int main(void) {
    int row = __VERIFIER_nondet_int();
    if (row < 0 || row >= N) return 0;
#ifdef WALK
    int *p = m[row];
    while (p < m[row] + M) *p++ = 6;
#else
    int i = 0;
    while (i < M) m[row][i++] = 6;
#endif
    for (int k = 0; k < M; k++) assert(m[row][k] == 6);
    for (int r = 0; r < N; r++) {
        for (int k = 0; k < M; k++) assert(r == row || m[r][k] == 0);
    }
    return 0;
}
