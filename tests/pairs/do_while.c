// Fills at least one cell, with the test at the end of the loop.
// by pointer: p is at i, end is at n
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > N) return 0;
#ifdef WALK
    int *p = a, *end = a + n;
    do {
        *p++ = 8;
    } while (p != end);
#else
    int i = 0;
    do {
        a[i++] = 8;
    } while (i != n);
#endif
    assert(a[0] == 8);
    for (int k = 0; k < n; k++) assert(a[k] == 8);
    for (int k = n; k < N; k++) assert(a[k] == 0);
    return 0;
}
