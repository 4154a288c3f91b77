// Copies as much as fits. The source may be shorter, so the last assertion can fail.
// by pointer: s is at used, d is at used
#include <assert.h>
#define N 30
#define M 20
extern int __VERIFIER_nondet_int(void);
int a[N], b[M];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > N) return 0;
    for (int k = 0; k < n; k++) a[k] = 1;
#ifdef WALK
    int *s = a, *d = b;
    while (s != a + n && d != b + M) *d++ = *s++;
    int used = (int)(d - b);
#else
    int used = 0;
    while (used != n && used != M) {
        b[used] = a[used];
        used++;
    }
#endif
    assert(used <= n && used <= M);
    for (int k = 0; k < used; k++) assert(b[k] == 1);
    for (int k = used; k < M; k++) assert(b[k] == 0);
    for (int k = 0; k < M; k++) assert(b[k] == 1);
    return 0;
}
