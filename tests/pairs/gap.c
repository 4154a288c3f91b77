// Fills an array with the distances to its end.
// by pointer: p is at i, end is at 100
#include <assert.h>
#define N 100
int a[N];

int main(void) {
#ifdef WALK
    int *end = a + N;
    for (int *p = a; p != end; p++) *p = (int)(end - p);
#else
    for (int i = 0; i != N; i++) a[i] = N - i;
#endif
    for (int k = 0; k < N; k++) assert(a[k] == N - k);
    return 0;
}
