// Counts positive elements. All may be positive, so the last assertion can fail.
// by pointer: p is at i
#include <assert.h>
#define N 4
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
    int count = 0;
#ifdef WALK
    int *p = a;
    do {
        if (*p > 0) count++;
    } while (++p < a + N);
#else
    int i = 0;
    do {
        if (a[i] > 0) count++;
    } while (++i < N);
#endif
    assert(0 <= count && count <= N);
    assert(count != 0 || a[1] <= 0);
    assert(count < N);
    return 0;
}
