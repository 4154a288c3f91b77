// Sets every second cell. The others keep 0, so the last assertion can fail.
// by pointer: p is at i
#include <assert.h>
#define N 100
int a[N];

int main(void) {
#ifdef WALK
    for (int *p = a; p < a + N; p += 2) *p = 1;
#else
    for (int i = 0; i < N; i += 2) a[i] = 1;
#endif
    for (int k = 0; k < N; k += 2) assert(a[k] == 1);
    for (int k = 1; k < N; k += 2) assert(a[k] == 0);
    for (int k = 0; k < N; k++) assert(a[k] == 1);
    return 0;
}
