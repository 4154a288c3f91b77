// Fills all cells but the last. Some cell keeps its old value, so the assertion can fail.
// by pointer: p is at i
#include <assert.h>
#define N 100
int a[N];

int main(void) {
#ifdef WALK
    for (int *p = a; p < a + N - 1; p++) *p = 1;
#else
    for (int i = 0; i < N - 1; i++) a[i] = 1;
#endif
    for (int k = 0; k < N; k++) {
        assert(0 <= a[k] && a[k] <= 1);
        assert(a[k] == 1);
    }
    return 0;
}
