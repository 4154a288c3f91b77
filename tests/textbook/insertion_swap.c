// Insertion sort of an unsigned length that moves each cell down by exchanges.
// twin: i = 1 => i = 2
// twin: a[j] < a[j - 1] => a[j] < a[i]
// slow
/*@ requires n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1]; */
void insertion_swap(long *a, unsigned n) {
    for (unsigned i = 1; i < n; i++) {
        for (unsigned j = i; j > 0 && a[j] < a[j - 1]; j--) {
            long t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
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
            long *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4 - 1;
            insertion_swap(a, n);
            for (int k = 0; k + 1 < n; k++) assert(a[k] <= a[k + 1]);
            free(a);
            free(o);
        }
    return 0;
}
#endif
