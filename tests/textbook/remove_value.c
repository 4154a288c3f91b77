// Moves the cells that differ from v to the front; returns how many there are.
// twin: a[i] != v => a[i] >= v
// twin: int k = 0 => int k = 1
/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures 0 <= \result <= n;
    ensures \forall integer k; 0 <= k < \result ==> a[k] != v;
    ensures \result == n ==> (\forall integer k; 0 <= k < n ==> a[k] == \old(a[k])); */
int remove_value(int *a, int n, int v) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] != v) {
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
            int v = code % 3, r = remove_value(a, n, v);
            assert(0 <= r && r <= n);
            for (int k = 0; k < r; k++) assert(a[k] != v && (r < n || a[k] == o[k]));
            free(a);
            free(o);
        }
    return 0;
}
#endif
