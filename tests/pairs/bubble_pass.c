// One pass of bubble sort. The array need not be sorted after it: the last assertion can fail.
// by pointer: p is at i
#include <assert.h>
#define N 20
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
#ifdef WALK
    for (int *p = a; p < a + N - 1; p++) {
        if (p[0] > p[1]) {
            int t = p[0];
            p[0] = p[1];
            p[1] = t;
        }
    }
#else
    for (int i = 0; i < N - 1; i++) {
        if (a[i] > a[i + 1]) {
            int t = a[i];
            a[i] = a[i + 1];
            a[i + 1] = t;
        }
    }
#endif
    for (int k = 0; k < N; k++) assert(a[k] <= a[N - 1]);
    for (int k = 1; k < N; k++) assert(a[k - 1] <= a[k]);
    return 0;
}
