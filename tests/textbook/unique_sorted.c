// Keeps one of each value of a sorted array, at its front; returns how many.
// twin: a[i] != a[k - 1] => a[i] >= a[k - 1]
// twin: k = 1 => k = 0
/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    requires \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
    assigns a[0 .. n-1];
    ensures 0 <= \result <= n;
    ensures n > 0 ==> \result > 0 && a[0] == \old(a[0]);
    ensures \forall integer k; 0 <= k < \result - 1 ==> a[k] < a[k+1]; */
int unique_sorted(int *a, int n) {
    if (n == 0)
        return 0;
    int k = 1;
    for (int i = 1; i < n; i++) {
        if (a[i] != a[k - 1]) {
            a[k] = a[i];
            k++;
        }
    }
    return k;
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
            if (sorted) {
                int r = unique_sorted(a, n);
                assert(0 <= r && r <= n && (n == 0 || (r > 0 && a[0] == o[0])));
                for (int k = 0; k + 1 < r; k++) assert(a[k] < a[k + 1]);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
