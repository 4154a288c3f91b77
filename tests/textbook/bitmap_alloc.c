// Takes the first clear flag of an array of flags, or returns -1.
// twin: used[i] == 0 => used[i] != 1
// twin: used[i] = 1 => used[i] = 0
/*@ requires 0 <= n <= 1000;
    requires \valid(used + (0 .. n-1));
    assigns used[0 .. n-1];
    ensures -1 <= \result < n;
    ensures \result >= 0 ==> used[\result] == 1;
    ensures \forall integer k; 0 <= k < n && k == \result ==> \old(used[k]) == 0;
    ensures \forall integer k; 0 <= k < n && k != \result ==> used[k] == \old(used[k]);
    ensures \forall integer k; 0 <= k < \result ==> used[k] != 0;
    ensures \result == -1 ==> (\forall integer k; 0 <= k < n ==> used[k] != 0); */
int bitmap_alloc(unsigned char *used, int n) {
    for (int i = 0; i < n; i++) {
        if (used[i] == 0) {
            used[i] = 1;
            return i;
        }
    }
    return -1;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0, size = 1; n <= 5; n++, size *= 3)
        for (int code = 0; code < size; code++) {
            unsigned char *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 3) o[i] = a[i] = c % 3;
            int r = bitmap_alloc(a, n);
            assert(-1 <= r && r < n);
            for (int k = 0; k < n; k++) {
                if (k == r) assert(a[k] == 1 && o[k] == 0);
                else assert(a[k] == o[k]);
                if (k < r || r == -1) assert(a[k] != 0);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
