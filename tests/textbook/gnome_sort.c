// Sorts with one index that goes up over ordered neighbours and down after an exchange.
// twin: i == 0 || => i == 1 ||
// twin: int i = 0 => int i = 2
/*@ requires 0 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] <= a[k+1]; */
void gnome_sort(int *a, int n) {
    int i = 0;
    while (i < n) {
        if (i == 0 || a[i - 1] <= a[i]) {
            i++;
        } else {
            int t = a[i];
            a[i] = a[i - 1];
            a[i - 1] = t;
            i--;
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
            gnome_sort(a, n);
            for (int k = 0; k + 1 < n; k++) assert(a[k] <= a[k + 1]);
            free(a);
            free(o);
        }
    return 0;
}
#endif
