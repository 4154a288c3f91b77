// Counts odd elements in front of the first negative one, and replaces them.
// by pointer: p is at at
#include <assert.h>
#define N 80
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
    int odd = 0, at;
#ifdef WALK
    int *p;
    for (p = a; p < a + N; p++) {
        if (*p < 0) break;
        if (*p % 2 == 0) continue;
        odd++;
        *p = 0;
    }
    at = (int)(p - a);
#else
    for (at = 0; at < N; at++) {
        if (a[at] < 0) break;
        if (a[at] % 2 == 0) continue;
        odd++;
        a[at] = 0;
    }
#endif
    assert(0 <= odd && odd <= at);
    for (int k = 0; k < at; k++) assert(a[k] >= 0);
    if (at < N) assert(a[at] < 0);
    return 0;
}
