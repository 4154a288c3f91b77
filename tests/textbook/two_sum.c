// Finds two places of a sorted array whose cells add up to target.
// twin: j = n - 1 => j = n
// twin: s < target => s > target
// slow
/*@ requires 0 <= n <= 1000;
    requires \valid_read(a + (0 .. n-1)) && \valid(p) && \valid(q) && \separated(p, q);
    requires \separated(a + (0 .. n-1), p) && \separated(a + (0 .. n-1), q);
    requires \forall integer k; 0 <= k < n ==> -1000000000 <= a[k] <= 1000000000;
    requires \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
    assigns *p, *q;
    ensures \result == 0 || \result == 1;
    ensures \result == 1 ==> 0 <= *p < *q && *q < n && a[*p] + a[*q] == target;
    ensures \result == 0 ==> (\forall integer i, j; 0 <= i < j < n ==> a[i] + a[j] != target); */
int two_sum(const int *a, int n, int target, int *p, int *q) {
    int i = 0;
    int j = n - 1;
    while (i < j) {
        int s = a[i] + a[j];
        if (s == target) {
            *p = i;
            *q = j;
            return 1;
        }
        if (s < target)
            i++;
        else
            j--;
    }
    return 0;
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
            int sorted = 1;
            for (int k = 0; k + 1 < n; k++) sorted = sorted && a[k] <= a[k + 1];
            for (int x = -1; sorted && x <= 4; x++) {
                int p = -1, q = -1, r = two_sum(a, n, 2 * x, &p, &q);
                assert(r == 0 || r == 1);
                if (r) assert(0 <= p && p < q && q < n && a[p] + a[q] == 2 * x);
                for (int i = 0; i < n; i++)
                    for (int j = i + 1; j < n; j++) assert(r || a[i] + a[j] != 2 * x);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
