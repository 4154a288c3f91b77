// Candidate of the majority vote by pairing off different cells.
// twin: cand = a[i] => cand = i
// twin: i < n => i <= n
/*@ requires 1 <= n <= 100000;
    requires \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures \exists integer k; 0 <= k < n && a[k] == \result; */
int majority(const int *a, int n) {
    int cand = a[0];
    int votes = 1;
    for (int i = 1; i < n; i++) {
        if (votes == 0) {
            cand = a[i];
            votes = 1;
        } else if (a[i] == cand) {
            votes++;
        } else {
            votes--;
        }
    }
    return cand;
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
            int r = majority(a, n), seen = 0;
            for (int k = 0; k < n; k++) seen = seen || a[k] == r;
            assert(seen);
            free(a);
            free(o);
        }
    return 0;
}
#endif
