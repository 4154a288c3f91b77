// Merges b into a, which has room behind its n sorted cells, from the back.
// twin: i > 0 => i > 1
// twin: k = n + m => k = n + m - 1
// open: ensures.1
// slow
/*@ requires 0 <= n <= 1000 && 0 <= m <= 1000;
    requires \valid(a + (0 .. n+m-1)) && \valid_read(b + (0 .. m-1));
    requires \separated(a + (0 .. n+m-1), b + (0 .. m-1));
    requires \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
    requires \forall integer i, j; 0 <= i <= j < m ==> b[i] <= b[j];
    assigns a[0 .. n+m-1];
    ensures \forall integer k; 0 <= k < n + m - 1 ==> a[k] <= a[k+1]; */
void merge_back(int *a, int n, const int *b, int m) {
    int i = n;
    int j = m;
    int k = n + m;
    while (j > 0) {
        k--;
        if (i > 0 && a[i - 1] > b[j - 1]) {
            i--;
            a[k] = a[i];
        } else {
            j--;
            a[k] = b[j];
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
                    int *w = malloc((n + m) * sizeof *w);
                    memcpy(w, a, n * sizeof *a);
                    if (ordered(a, n, 0) && ordered(b, m, 0)) {
                        merge_back(w, n, b, m);
                        assert(ordered(w, n + m, 0));
                    }
                    free(w);
                    free(a);
                    free(b);
                }
    return 0;
}
#endif
