// Insertion sort over gaps that are halved down to 1.
// twin: j >= gap => j > gap
// twin: gap > 0 => gap > 1
// open: ensures.1
// slow
/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1]; */
void shell_sort(int *a, int n) {
    for (int gap = n / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < n; i++) {
            int v = a[i];
            int j = i;
            while (j >= gap && a[j - gap] > v) {
                a[j] = a[j - gap];
                j -= gap;
            }
            a[j] = v;
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
            shell_sort(a, n);
            for (int k = 0; k + 1 < n; k++) assert(a[k] <= a[k + 1]);
            free(a);
            free(o);
        }
    return 0;
}
#endif
