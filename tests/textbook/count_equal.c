// Counts the cells that are x.
// twin: int i = 0 => int i = 1
// twin: a[i] == x => a[i] >= x
/*@ logic integer hits(int *a, integer n, integer x) =
      n <= 0 ? 0 : hits(a, n - 1, x) + (a[n - 1] == x ? 1 : 0); */
/*@ requires 0 <= n <= 100000;
    requires \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures 0 <= \result <= n;
    ensures \result == hits(a, n, x); */
int count_equal(const int *a, int n, int x) {
    int c = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] == x)
            c++;
    }
    return c;
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
            for (int x = 0; x < 4; x++) {
                int want = 0;
                for (int k = 0; k < n; k++) want += a[k] == x;
                assert(count_equal(a, n, x) == want);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
