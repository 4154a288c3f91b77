// The greatest cell when one place of the greatest is left out.
// twin: second = first; => second = a[i];
// twin: a[i] > second => a[i] < second
// open: ensures.1
/*@ requires 2 <= n <= 100000;
    requires \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures \exists integer p, q; 0 <= p < n && 0 <= q < n && p != q && a[q] == \result &&
      a[p] >= \result && (\forall integer k; 0 <= k < n && k != p ==> a[k] <= \result); */
int second_largest(const int *a, int n) {
    int first = a[0] > a[1] ? a[0] : a[1];
    int second = a[0] > a[1] ? a[1] : a[0];
    for (int i = 2; i < n; i++) {
        if (a[i] > first) {
            second = first;
            first = a[i];
        } else if (a[i] > second) {
            second = a[i];
        }
    }
    return second;
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
            int r = second_largest(a, n), ok = 0;
            for (int p = 0; p < n; p++)
                for (int q = 0; q < n; q++) {
                    int good = p != q && a[q] == r && a[p] >= r;
                    for (int k = 0; k < n; k++) good = good && (k == p || a[k] <= r);
                    ok = ok || good;
                }
            assert(ok);
            free(a);
            free(o);
        }
    return 0;
}
#endif
