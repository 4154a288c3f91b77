// Exchanges the contents of two arrays.
// by pointer: p is at i, q is at i
#include <assert.h>
#define N 100
int a[N], b[N];

int main(void) {
    for (int k = 0; k < N; k++) {
        a[k] = 1;
        b[k] = 2;
    }
#ifdef WALK
    for (int *p = a, *q = b; p < a + N; p++, q++) {
        int t = *p;
        *p = *q;
        *q = t;
    }
#else
    for (int i = 0; i < N; i++) {
        int t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
#endif
    for (int k = 0; k < N; k++) assert(a[k] == 2);
    for (int k = 0; k < N; k++) assert(b[k] == 1);
    return 0;
}
