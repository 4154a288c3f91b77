// Looks for a value that stands behind the last cell as well.
// by pointer: p is at at
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N + 1];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    a[N] = x;
#ifdef WALK
    int *p = a;
    while (*p != x) p++;
    int at = (int)(p - a);
#else
    int at = 0;
    while (a[at] != x) at++;
#endif
    assert(at <= N);
    assert(a[at] == x);
    for (int k = 0; k < at; k++) assert(a[k] != x);
    return 0;
}
