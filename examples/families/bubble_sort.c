// Bubble sort, and a look at whether all is in order. Broken (-DBROKEN): each pass ends one pair too early.
#include <assert.h>

#ifndef N
#define N 8
#endif
#ifdef BROKEN
#define LAST(pass) (N - 2 - (pass))
#else
#define LAST(pass) (N - 1 - (pass))
#endif

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[N];
    int i, j, other;
    for (i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    for (i = 0; i < N - 1; i++) {
        for (j = 0; j < LAST(i); j++) {
            if (a[j] > a[j + 1]) {
                other = a[j];
                a[j] = a[j + 1];
                a[j + 1] = other;
            }
        }
    }
    for (i = 0; i < N - 1; i++) {
        assert(a[i] <= a[i + 1]);
    }
    return 0;
}
