// Writes n times to a ring. The first value may be overwritten: the last assertion can fail.
// by pointer: p is at next
#include <assert.h>
#define N 8
extern int __VERIFIER_nondet_int(void);
int ring[N];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100) return 0;
#ifdef WALK
    int *p = ring;
    for (int k = 1; k <= n; k++) {
        *p++ = k;
        if (p == ring + N) p = ring;
    }
    int next = (int)(p - ring);
#else
    int next = 0;
    for (int k = 1; k <= n; k++) {
        ring[next++] = k;
        if (next == N) next = 0;
    }
#endif
    assert(0 <= next && next < N);
    for (int k = 0; k < N; k++) assert(0 <= ring[k] && ring[k] <= n);
    assert(ring[0] == 1);
    return 0;
}
