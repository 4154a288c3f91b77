// Partition with two indexes that move towards each other.
// twin: i >= j => i > j
// twin: a[i] < pivot => a[i] <= pivot
// open: ensures.1 ensures.2 bounds.2 bounds.3
// slow
/*@ requires 2 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures 0 <= \result < n - 1;
    ensures \forall integer k, m; 0 <= k <= \result && \result < m < n ==> a[k] <= a[m]; */
int hoare(int *a, int n) {
    int pivot = a[0];
    int i = -1;
    int j = n;
    for (;;) {
        do {
            i++;
        } while (a[i] < pivot);
        do {
            j--;
        } while (a[j] > pivot);
        if (i >= j)
            return j;
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 2, size = 16; n <= 5; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4;
            int r = hoare(a, n);
            assert(0 <= r && r < n - 1);
            for (int k = 0; k <= r; k++)
                for (int m = r + 1; m < n; m++) assert(a[k] <= a[m]);
            free(a);
            free(o);
        }
    return 0;
}
#endif
