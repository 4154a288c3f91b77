// Brings each cell into the range from lo to hi.
// twin: a[i] = hi => a[i] = lo
// twin: a[i] > hi => a[i] > hi + 1
/*@ requires 0 <= n <= 1000 && lo <= hi;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n ==> lo <= a[k] <= hi;
    ensures \forall integer k; 0 <= k < n ==> a[k] == \min(hi, \max(lo, \old(a[k]))); */
void clamp_cells(int *a, int n, int lo, int hi) {
    for (int i = 0; i < n; i++) {
        if (a[i] < lo)
            a[i] = lo;
        else if (a[i] > hi)
            a[i] = hi;
    }
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0, size = 1; n <= 4; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4 - 2;
            for (int lo = -3; lo <= 3; lo++)
                for (int hi = lo; hi <= 3; hi++) {
                    memcpy(a, o, n * sizeof *a);
                    clamp_cells(a, n, lo, hi);
                    for (int k = 0; k < n; k++) {
                        assert(lo <= a[k] && a[k] <= hi);
                        assert(a[k] == (o[k] < lo ? lo : o[k] > hi ? hi : o[k]));
                    }
                }
            free(a);
            free(o);
        }
    return 0;
}
#endif
