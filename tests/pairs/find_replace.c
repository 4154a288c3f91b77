// Replaces a value. The new value may be the old one, so the last assertion can fail.
// by pointer: p is at i
#include <assert.h>
#define N 60
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
    int old = __VERIFIER_nondet_int(), new = __VERIFIER_nondet_int();
#ifdef WALK
    for (int *p = a; p < a + N; p++)
        if (*p == old) *p = new;
#else
    for (int i = 0; i < N; i++)
        if (a[i] == old) a[i] = new;
#endif
    for (int k = 0; k < N; k++) assert(a[k] != old || old == new);
    for (int k = 0; k < N; k++) assert(a[k] != old);
    return 0;
}
