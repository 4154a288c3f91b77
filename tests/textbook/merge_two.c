// Merges two sorted arrays into a third one.
// twin: j == m || => j > m ||
// twin: a[i] <= b[j] => a[i] >= b[j]
// slow
/*@ requires 0 <= n <= 1000 && 0 <= m <= 1000;
    requires \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. m-1));
    requires \valid(c + (0 .. n+m-1));
    requires \separated(a + (0 .. n-1), c + (0 .. n+m-1));
    requires \separated(b + (0 .. m-1), c + (0 .. n+m-1));
    requires \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
    requires \forall integer i, j; 0 <= i <= j < m ==> b[i] <= b[j];
    assigns c[0 .. n+m-1];
    ensures \forall integer k; 0 <= k < n + m - 1 ==> c[k] <= c[k+1]; */
void merge_two(const int *a, int n, const int *b, int m, int *c) {
    int i = 0;
    int j = 0;
    for (int k = 0; k < n + m; k++) {
        if (j == m || (i < n && a[i] <= b[j])) {
            c[k] = a[i];
            i++;
        } else {
            c[k] = b[j];
            j++;
        }
    }
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static int ordered(const int *a, int n, int gap) {
    for (int k = 0; k + 1 < n; k++)
        if (a[k] + gap > a[k + 1]) return 0;
    return 1;
}
int main(void) {
    for (int n = 0, sa = 1; n <= 3; n++, sa *= 3)
        for (int m = 0, sb = 1; m <= 3; m++, sb *= 3)
            for (int ca = 0; ca < sa; ca++)
                for (int cb = 0; cb < sb; cb++) {
                    int *a = malloc(n * sizeof *a), *b = malloc(m * sizeof *b);
                    for (int i = 0, c = ca; i < n; i++, c /= 3) a[i] = c % 3;
                    for (int i = 0, c = cb; i < m; i++, c /= 3) b[i] = c % 3;
                    int *c = malloc((n + m) * sizeof *c);
                    if (ordered(a, n, 0) && ordered(b, m, 0)) {
                        merge_two(a, n, b, m, c);
                        assert(ordered(c, n + m, 0));
                    }
                    free(c);
                    free(a);
                    free(b);
                }
    return 0;
}
#endif
