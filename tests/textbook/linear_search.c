// The first place of x, or n.
// twin: i < n => i <= n
// twin: a[i] == x => a[i] >= x
/*@ requires 0 <= n <= 100000;
    requires \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures 0 <= \result <= n;
    ensures \result < n ==> a[\result] == x;
    ensures \forall integer k; 0 <= k < \result ==> a[k] != x; */
int linear_search(const int *a, int n, int x) {
    int i;
    for (i = 0; i < n; i++) {
        if (a[i] == x)
            break;
    }
    return i;
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
                int r = linear_search(a, n, x);
                assert(0 <= r && r <= n);
                if (r < n) assert(a[r] == x);
                for (int k = 0; k < r; k++) assert(a[k] != x);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
