// Writes the common values of two strictly increasing arrays into c; returns how many.
// twin: i < n => i <= n
// twin: a[i] > b[j] => a[i] >= b[j]
// open: ensures.2 ensures.5
// slow
/*@ requires 0 <= n <= 1000 && 0 <= m <= 1000;
    requires \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. m-1)) && \valid(c + (0 .. n-1));
    requires \separated(a + (0 .. n-1), c + (0 .. n-1));
    requires \separated(b + (0 .. m-1), c + (0 .. n-1));
    requires \forall integer i, j; 0 <= i < j < n ==> a[i] < a[j];
    requires \forall integer i, j; 0 <= i < j < m ==> b[i] < b[j];
    assigns c[0 .. n-1];
    ensures 0 <= \result <= n && \result <= m;
    ensures \forall integer k; 0 <= k < \result - 1 ==> c[k] < c[k+1];
    ensures \forall integer k; 0 <= k < \result ==> (\exists integer p; 0 <= p < n && a[p] == c[k]);
    ensures \forall integer k; 0 <= k < \result ==> (\exists integer q; 0 <= q < m && b[q] == c[k]);
    ensures \forall integer p, q; 0 <= p < n && 0 <= q < m && a[p] == b[q] ==>
      (\exists integer k; 0 <= k < \result && c[k] == a[p]); */
int intersect_sorted(const int *a, int n, const int *b, int m, int *c) {
    int i = 0;
    int j = 0;
    int k = 0;
    while (i < n && j < m) {
        if (a[i] < b[j]) {
            i++;
        } else if (a[i] > b[j]) {
            j++;
        } else {
            c[k] = a[i];
            k++;
            i++;
            j++;
        }
    }
    return k;
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
    for (int n = 0, sa = 1; n <= 3; n++, sa *= 4)
        for (int m = 0, sb = 1; m <= 3; m++, sb *= 4)
            for (int ca = 0; ca < sa; ca++)
                for (int cb = 0; cb < sb; cb++) {
                    int *a = malloc(n * sizeof *a), *b = malloc(m * sizeof *b);
                    for (int i = 0, c = ca; i < n; i++, c /= 4) a[i] = c % 4;
                    for (int i = 0, c = cb; i < m; i++, c /= 4) b[i] = c % 4;
                    int *c = malloc(n * sizeof *c), want = 0;
                    if (ordered(a, n, 1) && ordered(b, m, 1)) {
                        int r = intersect_sorted(a, n, b, m, c);
                        for (int p = 0; p < n; p++)
                            for (int q = 0; q < m; q++)
                                if (a[p] == b[q]) assert(want < r && c[want++] == a[p]);
                        assert(r == want);
                    }
                    free(c);
                    free(a);
                    free(b);
                }
    return 0;
}
#endif
