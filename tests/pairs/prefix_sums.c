// Prefix sums of digits.
// by pointer: p is at i, s is at i - 1
#include <assert.h>
#define N 50
extern unsigned char __VERIFIER_nondet_uchar(void);
int a[N], sums[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_uchar() % 10;
    sums[0] = a[0];
#ifdef WALK
    int *s = sums;
    for (const int *p = a + 1; p < a + N; p++, s++) s[1] = *s + *p;
#else
    int i = 1;
    for (; i < N; i++) sums[i] = sums[i - 1] + a[i];
#endif
    for (int k = 0; k < N; k++) assert(0 <= sums[k] && sums[k] <= 9 * N);
    for (int k = 1; k < N; k++) assert(sums[k - 1] <= sums[k]);
    return 0;
}
