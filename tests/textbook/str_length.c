// The place of the first zero among n characters, or n.
// twin: i < n => i <= n
// twin: i = 0 => i = 1
/*@ requires 0 <= n <= 100000;
    requires \valid_read(s + (0 .. n-1));
    assigns \nothing;
    ensures 0 <= \result <= n;
    ensures \result < n ==> s[\result] == 0;
    ensures \forall integer k; 0 <= k < \result ==> s[k] != 0; */
int str_length(const char *s, int n) {
    int i = 0;
    while (i < n && s[i] != 0)
        i++;
    return i;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0, size = 1; n <= 5; n++, size *= 2)
        for (int code = 0; code < size; code++) {
            char *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 2) o[i] = a[i] = c % 2;
            int r = str_length(a, n);
            assert(0 <= r && r <= n && (r == n || a[r] == 0));
            for (int k = 0; k < r; k++) assert(a[k] != 0);
            free(a);
            free(o);
        }
    return 0;
}
#endif
