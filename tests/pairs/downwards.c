// Clears the first n cells from the last one downwards.
// by pointer: p is at i
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = 5;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
#ifdef WALK
    int *p = a + n;
    while (p > a) *--p = 0;
#else
    int i = n;
    while (i > 0) a[--i] = 0;
#endif
    for (int k = 0; k < n; k++) assert(a[k] == 0);
    for (int k = n; k < N; k++) assert(a[k] == 5);
    return 0;
}
