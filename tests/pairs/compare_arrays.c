// Tells whether two arrays are equal.
// by pointer: p is at i, q is at i
#include <assert.h>
#define N 40
extern int __VERIFIER_nondet_int(void);
int a[N], b[N];

int main(void) {
    for (int k = 0; k < N; k++) {
        a[k] = __VERIFIER_nondet_int();
        b[k] = __VERIFIER_nondet_int();
    }
    if (__VERIFIER_nondet_int() > 0)
        for (int k = 0; k < N; k++) b[k] = a[k];
    int equal = 1;
#ifdef WALK
    for (int *p = a, *q = b; p != a + N; ++p, ++q)
        if (*p != *q) equal = 0;
#else
    for (int i = 0; i != N; ++i)
        if (a[i] != b[i]) equal = 0;
#endif
    if (equal)
        for (int k = 0; k < N; k++) assert(a[k] == b[k]);
    return 0;
}
