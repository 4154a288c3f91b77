// Sorts digits: counts each of the ten values, then writes them out in order.
// twin: v < 10 => v < 9
// twin: c > 0 => c >= 0
// open: ensures.1 assigns.1 bounds.6
// slow
/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    requires \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 9;
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1];
    ensures \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 9; */
void counting_sort(int *a, int n) {
    int count[10] = {0};
    int k = 0;
    for (int i = 0; i < n; i++)
        count[a[i]]++;
    for (int v = 0; v < 10; v++) {
        for (int c = count[v]; c > 0; c--) {
            a[k] = v;
            k++;
        }
    }
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
            for (int k = 0; k < n; k++) a[k] *= 3;
            counting_sort(a, n);
            for (int k = 0; k + 1 < n; k++) assert(a[k] <= a[k + 1]);
            for (int k = 0; k < n; k++) assert(0 <= a[k] && a[k] <= 9);
            free(a);
            free(o);
        }
    return 0;
}
#endif
