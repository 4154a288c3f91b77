// Fills the first n cells, where n is an input.
// by pointer: p is at i, end is at n
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
#ifdef WALK
    for (int *p = a, *end = a + n; p < end; ++p) *p = 7;
#else
    for (int i = 0; i < n; ++i) a[i] = 7;
#endif
    for (int k = 0; k < n; k++) assert(a[k] == 7);
    for (int k = n; k < N; k++) assert(a[k] == 0);
    return 0;
}
