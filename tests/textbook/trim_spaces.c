// Ends a string of n characters before its trailing spaces; returns the new length.
// twin: m > 0 => m >= 0
// twin: s[m] = 0 => s[m - 1] = 0
/*@ requires 0 <= n <= 1000;
    requires \valid(s + (0 .. n)) && s[n] == 0;
    assigns s[0 .. n];
    ensures 0 <= \result <= n && s[\result] == 0;
    ensures \result > 0 ==> s[\result-1] != ' ';
    ensures \forall integer k; 0 <= k < \result ==> s[k] == \old(s[k]);
    ensures \forall integer k; \result <= k < n ==> \old(s[k]) == ' '; */
int trim_spaces(char *s, int n) {
    int m = n;
    while (m > 0 && s[m - 1] == ' ')
        m--;
    s[m] = 0;
    return m;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0, size = 1; n <= 5; n++, size *= 3)
        for (int code = 0; code < size; code++) {
            char *a = malloc((n + 1) * sizeof *a), *o = malloc((n + 1) * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 3) o[i] = a[i] = c % 3 + 31;
            o[n] = a[n] = 0;
            int r = trim_spaces(a, n);
            assert(0 <= r && r <= n && a[r] == 0 && (r == 0 || a[r - 1] != ' '));
            for (int k = 0; k < r; k++) assert(a[k] == o[k]);
            for (int k = r; k < n; k++) assert(o[k] == ' ');
            free(a);
            free(o);
        }
    return 0;
}
#endif
