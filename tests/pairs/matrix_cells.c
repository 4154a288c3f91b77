// Fills a matrix with the numbers of its columns, with pointers to rows and to cells.
// open: invariants
#include <assert.h>
#define N 12
#define M 10
int m[N][M];

int main(void) {
#ifdef WALK
    for (int (*r)[M] = m; r != m + N; r++) {
        for (int *p = *r; p != *r + M; p++) *p = (int)(p - *r);
    }
#else
    for (int i = 0; i != N; i++) {
        for (int j = 0; j != M; j++) m[i][j] = j;
    }
#endif
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            assert(0 <= m[i][j] && m[i][j] < M);
            assert(m[i][j] == j);
        }
    }
    return 0;
}
