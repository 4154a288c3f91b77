// Tells whether no cell is greater than its right neighbour.
// twin: a[i - 1] > a[i] => a[i - 1] >= a[i]
// twin: i < n => i < n - 1
// slow
/*@ requires 0 <= n <= 100000;
    requires \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures \result == 0 || \result == 1;
    ensures \result == 1 <==> (\forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1]); */
int is_sorted(const int *a, int n) {
    for (int i = 1; i < n; i++) {
        if (a[i - 1] > a[i])
            return 0;
    }
    return 1;
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
            int r = is_sorted(a, n), want = 1;
            for (int k = 0; k + 1 < n; k++) want = want && a[k] <= a[k + 1];
            assert(r == want);
            free(a);
            free(o);
        }
    return 0;
}
#endif
