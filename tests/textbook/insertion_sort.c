// Sorts by inserting each cell into the sorted part before it, shifting larger ones.
// twin: j > 0 => j > 1
// twin: j > 0 => j >= 0
/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1]; */
void insertion_sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int v = a[i];
        int j = i;
        while (j > 0 && a[j - 1] > v) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
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
            insertion_sort(a, n);
            for (int k = 0; k + 1 < n; k++) assert(a[k] <= a[k + 1]);
            free(a);
            free(o);
        }
    return 0;
}
#endif
