// Colours even and odd cells differently.
// by pointer: p is at i
#include <assert.h>
#define N 100
int a[N];

int main(void) {
#ifdef WALK
    for (int *p = a; p < a + N; p++) {
        if ((p - a) % 2 == 0) *p = 10;
        else *p = 20;
    }
#else
    for (int i = 0; i < N; i++) {
        if (i % 2 == 0) a[i] = 10;
        else a[i] = 20;
    }
#endif
    for (int k = 0; k < N; k++) assert(a[k] == 10 || a[k] == 20);
    for (int k = 0; k < N; k++) assert(a[k] == (k % 2 == 0 ? 10 : 20));
    return 0;
}
