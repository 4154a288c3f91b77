// Copies the first n cells of an array.
// by pointer: s is at i, d is at i
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N], b[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
#ifdef WALK
    int *s = a, *d = b;
    while (s < a + n) *d++ = *s++;
#else
    int i = 0;
    while (i < n) {
        b[i] = a[i];
        i++;
    }
#endif
    for (int k = 0; k < n; k++) assert(b[k] == a[k]);
    for (int k = n; k < N; k++) assert(b[k] == 0);
    return 0;
}
