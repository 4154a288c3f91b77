// Greatest sum of adjacent cells; it is at least as great as every single cell.
// twin: cur > best => cur < best
// twin: cur > 0 => cur < 0
/*@ requires 1 <= n <= 1000;
    requires \valid_read(a + (0 .. n-1));
    requires \forall integer k; 0 <= k < n ==> -1000000 <= a[k] <= 1000000;
    assigns \nothing;
    ensures \forall integer k; 0 <= k < n ==> \result >= a[k];
    ensures -1000000 <= \result <= 1000000 * n; */
int kadane(const int *a, int n) {
    int best = a[0];
    int cur = a[0];
    for (int i = 1; i < n; i++) {
        cur = cur > 0 ? cur + a[i] : a[i];
        if (cur > best)
            best = cur;
    }
    return best;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 1, size = 4; n <= 5; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4 - 2;
            int r = kadane(a, n);
            for (int k = 0; k < n; k++) assert(r >= a[k]);
            assert(-1000000 <= r && r <= 1000000 * n);
            free(a);
            free(o);
        }
    return 0;
}
#endif
