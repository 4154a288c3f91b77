// Dot product of two arrays of cells up to 100.
// twin: a[i] * b[i] => a[i] + b[i]
// twin: sum = 0 => sum = 1
/*@ logic integer dot(int *a, int *b, integer n) =
      n <= 0 ? 0 : dot(a, b, n - 1) + a[n - 1] * b[n - 1]; */
/*@ requires 0 <= n <= 1000;
    requires \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. n-1));
    requires \forall integer k; 0 <= k < n ==> 0 <= a[k] <= 100;
    requires \forall integer k; 0 <= k < n ==> 0 <= b[k] <= 100;
    assigns \nothing;
    ensures 0 <= \result <= 10000 * n;
    ensures \result == dot(a, b, n); */
int dot_product(const int *a, const int *b, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
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
            int want = 0;
            for (int k = 0; k < n; k++) o[k] = (code + k) % 5, want += a[k] * o[k];
            int r = dot_product(a, o, n);
            assert(0 <= r && r <= 10000 * n && r == want);
            free(a);
            free(o);
        }
    return 0;
}
#endif
