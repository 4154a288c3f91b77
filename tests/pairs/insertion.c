// Inserts a value before the larger ones at the end.
// by pointer: p is at at
#include <assert.h>
#define N 50
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N - 1; k++) a[k] = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
#ifdef WALK
    int *p = a + N - 1;
    while (p > a && p[-1] > x) {
        *p = p[-1];
        p--;
    }
    *p = x;
    int at = (int)(p - a);
#else
    int at = N - 1;
    while (at > 0 && a[at - 1] > x) {
        a[at] = a[at - 1];
        at--;
    }
    a[at] = x;
#endif
    assert(0 <= at && at < N);
    assert(a[at] == x);
    for (int k = at + 1; k < N; k++) assert(a[k] > x);
    return 0;
}
