// Fills a matrix, row by row, with a pointer to rows.
// by pointer: r is at i
#include <assert.h>
#define N 12
#define M 10
int m[N][M];

int main(void) {
#ifdef WALK
    for (int (*r)[M] = m; r < m + N; r++) {
        for (int j = 0; j < M; j++) (*r)[j] = 1;
    }
#else
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) m[i][j] = 1;
    }
#endif
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) assert(m[i][j] == 1);
    }
    return 0;
}
