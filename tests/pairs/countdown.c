// Clears n cells and counts n down.
// by pointer: p is at i
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = 1 + k;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
    int left = n;
#ifdef WALK
    int *p = a;
    while (left--) *p++ = 0;
#else
    int i = 0;
    while (left--) a[i++] = 0;
#endif
    assert(left == -1);
    for (int k = 0; k < n; k++) assert(a[k] == 0);
    for (int k = n; k < N; k++) assert(a[k] > 0);
    return 0;
}
