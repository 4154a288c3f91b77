// Selection sort, and a look at whether all is in order. Broken (-DBROKEN): the last cell is never looked at.
#include <assert.h>

#ifndef N
#define N 6
#endif
#ifdef BROKEN
#define END (N - 1)
#else
#define END N
#endif

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[N];
    int i, j, least, other;
    for (i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    for (i = 0; i < N - 1; i++) {
        least = i;
        for (j = i + 1; j < END; j++) {
            if (a[j] < a[least]) {
                least = j;
            }
        }
        other = a[i];
        a[i] = a[least];
        a[least] = other;
    }
    for (i = 0; i < N - 1; i++) {
        assert(a[i] <= a[i + 1]);
    }
    return 0;
}
