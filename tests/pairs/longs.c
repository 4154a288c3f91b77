// Fills an array of long with multiples of a large number.
// by pointer: p is at i, end is at 100
#include <assert.h>
#define N 100
long a[N];

int main(void) {
    long v = 0;
#ifdef WALK
    for (long *p = a, *end = a + N; p < end; p++) {
        *p = v;
        v += 5000000000;
    }
#else
    for (int i = 0; i < N; i++) {
        a[i] = v;
        v += 5000000000;
    }
#endif
    for (long k = 0; k < N; k++) assert(a[k] >= 0);
    for (long k = 0; k < N; k++) assert(a[k] == 5000000000 * k);
    return 0;
}
