// Puts x into the last cell, so that the loop needs no test of the end, and restores it.
// twin: i < n - 1 || => i < n ||
// twin: a[n - 1] = last => a[i] = last
/*@ requires 1 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[n-1];
    ensures -1 <= \result < n;
    ensures \result >= 0 ==> a[\result] == x;
    ensures \result == -1 ==> (\forall integer k; 0 <= k < n ==> a[k] != x);
    ensures \forall integer k; 0 <= k < n ==> a[k] == \old(a[k]); */
int sentinel_search(int *a, int n, int x) {
    int last = a[n - 1];
    int i = 0;
    a[n - 1] = x;
    while (a[i] != x)
        i++;
    a[n - 1] = last;
    if (i < n - 1 || last == x)
        return i;
    return -1;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 1, size = 4; n <= 5; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4;
            for (int x = 0; x < 4; x++) {
                int r = sentinel_search(a, n, x);
                assert(-1 <= r && r < n);
                if (r >= 0) assert(a[r] == x);
                for (int k = 0; k < n; k++) assert(a[k] == o[k] && (r >= 0 || a[k] != x));
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
