// The place of the smallest element.
// by pointer: m is at at, p is at i
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
#ifdef WALK
    int *m = a;
    for (int *p = a; p != a + N; p++) {
        if (*p < *m) m = p;
    }
    int at = (int)(m - a);
#else
    int at = 0;
    for (int i = 0; i != N; i++) {
        if (a[i] < a[at]) at = i;
    }
#endif
    assert(0 <= at && at < N);
    for (int k = 0; k < N; k++) assert(a[at] <= a[k]);
    return 0;
}
