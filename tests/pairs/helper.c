// A function that fills part of an array through its parameter.
// open: invariants
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N];

static void fill(int *p, int n, int value) {
#ifdef WALK
    while (n-- > 0) *p++ = value;
#else
    for (int i = 0; i < n; i++) p[i] = value;
#endif
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
    fill(a, n, 1);
    fill(a + n, N - n, 2);
    for (int k = 0; k < n; k++) assert(a[k] == 1);
    for (int k = n; k < N; k++) assert(a[k] == 2);
    return 0;
}
