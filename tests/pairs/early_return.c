// A search that returns early. The first place may be 0, so the last assertion can fail.
// by pointer: p is at i
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N];

static int find(int x) {
#ifdef WALK
    for (int *p = a; p < a + N; p++)
        if (*p == x) return (int)(p - a);
#else
    for (int i = 0; i < N; i++)
        if (a[i] == x) return i;
#endif
    return -1;
}

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
    int at = find(3);
    assert(-1 <= at && at < N);
    if (at >= 0) assert(a[at] == 3);
    if (at < 0)
        for (int k = 0; k < N; k++) assert(a[k] != 3);
    assert(at != 0);
    return 0;
}
