// The first place whose cell is at least x, or n.
// twin: a[mid] < x => a[mid] <= x
// twin: int hi = n => int hi = n - 1
/*@ requires 0 <= n <= 100000;
    requires \valid_read(a + (0 .. n-1));
    requires \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
    assigns \nothing;
    ensures 0 <= \result <= n;
    ensures \forall integer k; 0 <= k < \result ==> a[k] < x;
    ensures \forall integer k; \result <= k < n ==> a[k] >= x; */
int lower_bound(const int *a, int n, int x) {
    int lo = 0;
    int hi = n;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0, size = 1; n <= 5; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4;
            int sorted = 1;
            for (int k = 0; k + 1 < n; k++) sorted = sorted && a[k] <= a[k + 1];
            for (int x = -1; sorted && x <= 4; x++) {
                int r = lower_bound(a, n, x);
                assert(0 <= r && r <= n);
                for (int k = 0; k < n; k++) assert(k < r ? a[k] < x : a[k] >= x);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
