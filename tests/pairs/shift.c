// Moves all elements one cell to the front.
// by pointer: p is at i
#include <assert.h>
#define N 100
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = k;
#ifdef WALK
    for (int *p = a; p < a + N - 1; p++) *p = p[1];
#else
    for (int i = 0; i < N - 1; i++) a[i] = a[i + 1];
#endif
    assert(a[N - 1] == N - 1);
    for (int k = 0; k < N - 1; k++) assert(a[k] == k + 1);
    return 0;
}
