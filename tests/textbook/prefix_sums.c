// Writes the sums of all beginnings of a into s; the cells are small enough for int.
// twin: sum += a[i] => sum = a[i]
// twin: sum = 0 => sum = 1
/*@ requires 0 <= n <= 1000;
    requires \valid_read(a + (0 .. n-1)) && \valid(s + (0 .. n-1));
    requires \separated(a + (0 .. n-1), s + (0 .. n-1));
    requires \forall integer k; 0 <= k < n ==> -1000000 <= a[k] <= 1000000;
    assigns s[0 .. n-1];
    ensures n > 0 ==> s[0] == a[0];
    ensures \forall integer k; 1 <= k < n ==> s[k] == s[k-1] + a[k]; */
void prefix_sums(const int *a, int *s, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        s[i] = sum;
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
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4 - 2;
            prefix_sums(o, a, n);
            for (int k = 0; k < n; k++) assert(a[k] == (k ? a[k - 1] : 0) + o[k]);
            free(a);
            free(o);
        }
    return 0;
}
#endif
