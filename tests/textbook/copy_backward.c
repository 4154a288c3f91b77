// Moves n cells up by d places in an array of n + d cells, from the back.
// twin: int i = n - 1; i >= 0; i-- => int i = 0; i < n; i++
// twin: i >= 0 => i > 0
/*@ requires 0 <= n <= 1000 && 0 <= d <= 1000;
    requires \valid(a + (0 .. n+d-1));
    assigns a[0 .. n+d-1];
    ensures \forall integer k; 0 <= k < n ==> a[k+d] == \old(a[k]);
    ensures \forall integer k; 0 <= k < d ==> a[k] == \old(a[k]); */
void copy_backward(int *a, int n, int d) {
    for (int i = n - 1; i >= 0; i--)
        a[i + d] = a[i];
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0; n <= 5; n++)
        for (int d = 0; d <= 5; d++) {
            int *a = malloc((n + d) * sizeof *a);
            for (int k = 0; k < n + d; k++) a[k] = k;
            copy_backward(a, n, d);
            for (int k = 0; k < n; k++) assert(a[k + d] == k);
            for (int k = 0; k < d; k++) assert(a[k] == k);
            free(a);
        }
    return 0;
}
#endif
