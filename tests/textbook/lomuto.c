// Partition around the last cell with one index that runs ahead of the other.
// twin: a[j] < pivot => a[j] <= pivot
// twin: j < n - 1 => j < n - 2
/*@ requires 1 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures 0 <= \result < n;
    ensures \forall integer k; 0 <= k < \result ==> a[k] < a[\result];
    ensures \forall integer k; \result <= k < n ==> a[k] >= a[\result]; */
int lomuto(int *a, int n) {
    int pivot = a[n - 1];
    int i = 0;
    for (int j = 0; j < n - 1; j++) {
        if (a[j] < pivot) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
            i++;
        }
    }
    a[n - 1] = a[i];
    a[i] = pivot;
    return i;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 1, size = 4; n <= 5; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4;
            int r = lomuto(a, n);
            assert(0 <= r && r < n);
            for (int k = 0; k < n; k++) assert(k < r ? a[k] < a[r] : a[k] >= a[r]);
            free(a);
            free(o);
        }
    return 0;
}
#endif
