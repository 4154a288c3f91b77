// The sum of bytes.
// by pointer: p is at i
#include <assert.h>
#define N 100
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_uchar();
    int sum = 0;
#ifdef WALK
    for (unsigned char *p = a; p < a + N; p++) sum += *p;
#else
    for (int i = 0; i < N; i++) sum += a[i];
#endif
    assert(sum >= 0);
    assert(sum <= 255 * N);
    assert(sum >= a[0]);
    return 0;
}
