// Moves the root of a heap with the greatest at the root down to where it belongs.
// twin: a[c + 1] > a[c] => a[c + 1] < a[c]
// twin: c + 1 < n => c + 1 <= n
// open: ensures.1
/*@ requires 1 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    requires \forall integer k; 3 <= k < n ==> a[(k-1)/2] >= a[k];
    assigns a[0 .. n-1];
    ensures \forall integer k; 1 <= k < n ==> a[(k-1)/2] >= a[k]; */
void sift_down(int *a, int n) {
    int i = 0;
    int c = 1;
    while (c < n) {
        if (c + 1 < n && a[c + 1] > a[c])
            c++;
        if (a[i] >= a[c])
            break;
        int t = a[i];
        a[i] = a[c];
        a[c] = t;
        i = c;
        c = 2 * i + 1;
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
            for (int k = 3; k < n; k++) heap = heap && a[(k - 1) / 2] >= a[k];
            if (heap) {
                sift_down(a, n);
                for (int k = 1; k < n; k++) assert(a[(k - 1) / 2] >= a[k]);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
