// Moves even cells before odd ones, also negative ones; returns the number of even cells.
// twin: j = n => j = n - 1
// twin: a[i] % 2 == 0 => a[i] % 2 != 1
/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures 0 <= \result <= n;
    ensures \forall integer k; 0 <= k < \result ==> a[k] % 2 == 0;
    ensures \forall integer k; \result <= k < n ==> a[k] % 2 != 0; */
int even_odd(int *a, int n) {
    int i = 0;
    int j = n;
    while (i < j) {
        if (a[i] % 2 == 0) {
            i++;
        } else {
            j--;
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
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
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4 - 2;
            int r = even_odd(a, n);
            assert(0 <= r && r <= n);
            for (int k = 0; k < n; k++) assert((k < r) == (a[k] % 2 == 0));
            free(a);
            free(o);
        }
    return 0;
}
#endif
