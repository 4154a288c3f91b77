// The first place of the least cell.
// twin: a[i] < a[m] => a[i] <= a[m]
// twin: i < n => i < n - 1
/*@ requires 1 <= n <= 100000;
    requires \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures 0 <= \result < n;
    ensures \forall integer k; 0 <= k < n ==> a[\result] <= a[k];
    ensures \forall integer k; 0 <= k < \result ==> a[\result] < a[k]; */
int min_index(const int *a, int n) {
    int m = 0;
    for (int i = 1; i < n; i++) {
        if (a[i] < a[m])
            m = i;
    }
    return m;
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
            int r = min_index(a, n);
            assert(0 <= r && r < n);
            for (int k = 0; k < n; k++) assert(k < r ? a[r] < a[k] : a[r] <= a[k]);
            free(a);
            free(o);
        }
    return 0;
}
#endif
