// Rotates left by d places: reverses both parts, then the whole array.
// twin: flip(a, 0, d) => flip(a, 1, d)
// twin: flip(a, d, n) => flip(a, d, n + 1)
// open: ensures.1 ensures.2 assigns.1
// slow
static void flip(int *a, int lo, int hi) {
    for (int i = lo, j = hi - 1; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

/*@ requires 0 <= d <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - d ==> a[k] == \old(a[k+d]);
    ensures \forall integer k; n - d <= k < n ==> a[k] == \old(a[k-(n-d)]); */
void rotate_reversal(int *a, int n, int d) {
    flip(a, 0, d);
    flip(a, d, n);
    flip(a, 0, n);
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
            for (int d = 0; d <= n; d++) {
                memcpy(a, o, n * sizeof *a);
                rotate_reversal(a, n, d);
                for (int k = 0; k < n; k++) assert(a[k] == (k < n - d ? o[k + d] : o[k - (n - d)]));
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
