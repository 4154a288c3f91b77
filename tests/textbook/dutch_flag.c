// Sorts cells that are 0, 1 or 2 in one pass with three indexes.
// twin: mid < hi => mid + 1 < hi
// twin: hi = n => hi = n + 1
// slow
/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    requires \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 2;
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1];
    ensures \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 2; */
void dutch_flag(int *a, int n) {
    int lo = 0;
    int mid = 0;
    int hi = n;
    while (mid < hi) {
        if (a[mid] == 0) {
            a[mid] = a[lo];
            a[lo] = 0;
            lo++;
            mid++;
        } else if (a[mid] == 1) {
            mid++;
        } else {
            hi--;
            a[mid] = a[hi];
            a[hi] = 2;
        }
    }
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0, size = 1; n <= 5; n++, size *= 3)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 3) o[i] = a[i] = c % 3;
            dutch_flag(a, n);
            for (int k = 0; k + 1 < n; k++) assert(a[k] <= a[k + 1]);
            for (int k = 0; k < n; k++) assert(0 <= a[k] && a[k] <= 2);
            free(a);
            free(o);
        }
    return 0;
}
#endif
