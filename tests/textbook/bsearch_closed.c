// Binary search in a closed interval over cells of type long; returns a place of x, or -1.
// twin: lo <= hi => lo < hi
// twin: hi = mid - 1 => hi = mid - 2
// slow
/*@ requires 0 <= n <= 100000;
    requires \valid_read(a + (0 .. n-1));
    requires \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
    assigns \nothing;
    ensures -1 <= \result < n;
    ensures \result >= 0 ==> a[\result] == x;
    ensures \result == -1 ==> (\forall integer k; 0 <= k < n ==> a[k] != x); */
int bsearch_closed(const long *a, int n, long x) {
    int lo = 0;
    int hi = n - 1;
    while (lo <= hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] == x)
            return mid;
        if (a[mid] < x)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return -1;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0, size = 1; n <= 5; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            long *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4;
            int sorted = 1;
            for (int k = 0; k + 1 < n; k++) sorted = sorted && a[k] <= a[k + 1];
            for (int x = -1; sorted && x <= 4; x++) {
                int r = bsearch_closed(a, n, x);
                assert(-1 <= r && r < n);
                if (r >= 0) assert(a[r] == x);
                for (int k = 0; r == -1 && k < n; k++) assert(a[k] != x);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
