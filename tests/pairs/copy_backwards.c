// Copies an array from its end to its start.
// by pointer: s is at i, d is at i
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N], b[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
#ifdef WALK
    int *s = a + N, *d = b + N;
    while (s != a) *--d = *--s;
#else
    int i = N;
    while (i != 0) {
        --i;
        b[i] = a[i];
    }
#endif
    for (int k = 0; k < N; k++) assert(b[k] == a[k]);
    return 0;
}
