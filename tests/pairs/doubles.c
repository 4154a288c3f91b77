// Fills an array of double with values of a range.
// by pointer: p is at i
#include <assert.h>
#define N 40
extern unsigned char __VERIFIER_nondet_uchar(void);
double a[N];

int main(void) {
#ifdef WALK
    for (double *p = a; p < a + N; p++) *p = __VERIFIER_nondet_uchar() / 256.0;
#else
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_uchar() / 256.0;
#endif
    for (int k = 0; k < N; k++) assert(a[k] >= 0.0);
    for (int k = 0; k < N; k++) assert(a[k] < 1.0);
    return 0;
}
