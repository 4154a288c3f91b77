// Fills an array with a counter.
// by pointer: p is at i
#include <assert.h>
#define N 100
int a[N];

int main(void) {
    int v = 0;
#ifdef WALK
    int *p = a;
    while (p != a + N) *p++ = v++;
#else
    int i = 0;
    while (i != N) a[i++] = v++;
#endif
    assert(v == N);
    for (int k = 0; k < N; k++) assert(a[k] == k);
    return 0;
}
