// The largest element.
// by pointer: p is at i
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
    int largest = a[0];
#ifdef WALK
    for (const int *p = a + 1; p < a + N; p++) {
        if (*p > largest) largest = *p;
    }
#else
    for (int i = 1; i < N; i++) {
        if (a[i] > largest) largest = a[i];
    }
#endif
    for (int k = 0; k < N; k++) assert(a[k] <= largest);
    return 0;
}
