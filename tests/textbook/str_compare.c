// Compares two strings up to their ends, but at most n bytes: -1, 0 or 1.
// twin: s[i] < t[i] => s[i] > t[i]
// twin: i == n || => i > n ||
/*@ requires 0 <= n <= 1000;
    requires \valid_read(s + (0 .. n-1)) && \valid_read(t + (0 .. n-1));
    assigns \nothing;
    ensures -1 <= \result <= 1;
    ensures \result == 0 ==> (\exists integer e; 0 <= e <= n &&
      (e == n || (s[e] == 0 && t[e] == 0)) && (\forall integer k; 0 <= k < e ==> s[k] == t[k]));
    ensures \result == -1 ==> (\exists integer e; 0 <= e < n && s[e] < t[e] &&
      (\forall integer k; 0 <= k < e ==> s[k] == t[k]));
    ensures \result == 1 ==> (\exists integer e; 0 <= e < n && s[e] > t[e] &&
      (\forall integer k; 0 <= k < e ==> s[k] == t[k])); */
int str_compare(const unsigned char *s, const unsigned char *t, int n) {
    int i = 0;
    while (i < n && s[i] == t[i] && s[i] != 0)
        i++;
    if (i == n || s[i] == t[i])
        return 0;
    return s[i] < t[i] ? -1 : 1;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0, size = 1; n <= 3; n++, size *= 9)
        for (int code = 0; code < size; code++) {
            unsigned char *s = malloc(n), *t = malloc(n);
            for (int i = 0, c = code; i < n; i++, c /= 9) {
                s[i] = c % 3 * 100;
                t[i] = c / 3 % 3 * 100;
            }
            int r = str_compare(s, t, n), e = 0;
            while (e < n && s[e] == t[e] && s[e] != 0) e++;
            assert(-1 <= r && r <= 1);
            assert(r == (e == n || s[e] == t[e] ? 0 : s[e] < t[e] ? -1 : 1));
            free(s);
            free(t);
        }
    return 0;
}
#endif
