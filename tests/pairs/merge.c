// Merges two arrays of digits.
// by pointer: p is at i, q is at j, d is at n
#include <assert.h>
#define N 30
#define M 20
extern unsigned char __VERIFIER_nondet_uchar(void);
int a[N], b[M], c[N + M];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_uchar() % 10;
    for (int k = 0; k < M; k++) b[k] = __VERIFIER_nondet_uchar() % 10;
#ifdef WALK
    int *p = a, *q = b, *d = c;
    while (p < a + N && q < b + M) *d++ = *p <= *q ? *p++ : *q++;
    while (p < a + N) *d++ = *p++;
    while (q < b + M) *d++ = *q++;
    int n = (int)(d - c);
#else
    int i = 0, j = 0, n = 0;
    while (i < N && j < M) c[n++] = a[i] <= b[j] ? a[i++] : b[j++];
    while (i < N) c[n++] = a[i++];
    while (j < M) c[n++] = b[j++];
#endif
    assert(n == N + M);
    for (int k = 0; k < N + M; k++) assert(0 <= c[k] && c[k] <= 9);
    return 0;
}
