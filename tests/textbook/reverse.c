// Reverses an array by exchanging its ends.
// twin: i < j => i + 1 < j
// twin: j = n - 1 => j = n
/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n ==> a[k] == \old(a[n-1-k]); */
void reverse(int *a, int n) {
    int i = 0;
    int j = n - 1;
    while (i < j) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
        i++;
        j--;
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
            reverse(a, n);
            for (int k = 0; k < n; k++) assert(a[k] == o[n - 1 - k]);
            free(a);
            free(o);
        }
    return 0;
}
#endif
