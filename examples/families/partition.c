// The partitioning of quicksort: smaller numbers to the left, greater ones to the right. The pivot, in the first cell, stops the
// search from the right. Broken (-DBROKEN): the search does not stop at cells that are equal to the pivot.
#include <assert.h>

#ifndef N
#define N 40
#endif

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[N];
    int i, j, pivot, other;
    for (i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    pivot = a[0];
    i = 0;
    j = N;
    while (i < j) {
        do {
            i++;
        } while (i < N && a[i] < pivot);
        do {
            j--;
            assert(j >= 0);
#ifdef BROKEN
        } while (a[j] >= pivot);
#else
        } while (a[j] > pivot);
#endif
        if (i < j) {
            other = a[i];
            a[i] = a[j];
            a[j] = other;
        }
    }
    return 0;
}
