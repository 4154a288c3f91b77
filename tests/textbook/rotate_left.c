// Moves each cell one place to the left, and the first one to the end.
// twin: i + 1 < n => i < n
// twin: a[n - 1] = first => a[0] = first
/*@ requires 1 <= n <= 1000;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n - 1 ==> a[k] == \old(a[k+1]);
    ensures a[n-1] == \old(a[0]); */
void rotate_left(int *a, int n) {
    int first = a[0];
    for (int i = 0; i + 1 < n; i++)
        a[i] = a[i + 1];
    a[n - 1] = first;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 1, size = 4; n <= 5; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4;
            rotate_left(a, n);
            for (int k = 0; k < n; k++) assert(a[k] == o[(k + 1) % n]);
            free(a);
            free(o);
        }
    return 0;
}
#endif
