// Moves the last cell of a heap with the greatest at the root up to where it belongs.
// twin: (i - 1) / 2 => i / 2
// twin: i > 0 => i > 1
// open: ensures.1
/*@ requires 1 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    requires \forall integer k; 1 <= k < n - 1 ==> a[(k-1)/2] >= a[k];
    assigns a[0 .. n-1];
    ensures \forall integer k; 1 <= k < n ==> a[(k-1)/2] >= a[k]; */
void sift_up(int *a, int n) {
    int i = n - 1;
    while (i > 0) {
        int p = (i - 1) / 2;
        if (a[p] >= a[i])
            break;
        int t = a[p];
        a[p] = a[i];
        a[i] = t;
        i = p;
    }
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 1, size = 4; n <= 6; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4;
            int heap = 1;
            for (int k = 1; k < n - 1; k++) heap = heap && a[(k - 1) / 2] >= a[k];
            if (heap) {
                sift_up(a, n);
                for (int k = 1; k < n; k++) assert(a[(k - 1) / 2] >= a[k]);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
