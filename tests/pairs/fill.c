// Fills an array with one value.
// by pointer: p is at i
#include <assert.h>
#define N 100
int a[N];

int main(void) {
#ifdef WALK
    for (int *p = a; p < a + N; p++) *p = 1;
#else
    for (int i = 0; i < N; i++) a[i] = 1;
#endif
    for (int k = 0; k < N; k++) assert(a[k] == 1);
    return 0;
}
