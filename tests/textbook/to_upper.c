// Turns small letters into capitals and leaves everything else.
// twin: s[i] <= 'z' => s[i] < 'z'
// twin: s[i] - 32 => s[i] + 32
/*@ requires 0 <= n <= 1000;
    requires \valid(s + (0 .. n-1));
    assigns s[0 .. n-1];
    ensures \forall integer k; 0 <= k < n && 97 <= \old(s[k]) <= 122 ==> s[k] == \old(s[k]) - 32;
    ensures \forall integer k; 0 <= k < n && \old(s[k]) < 97 ==> s[k] == \old(s[k]);
    ensures \forall integer k; 0 <= k < n && \old(s[k]) > 122 ==> s[k] == \old(s[k]); */
void to_upper(char *s, int n) {
    for (int i = 0; i < n; i++) {
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] = (char)(s[i] - 32);
    }
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0; n <= 4; n++)
        for (int c = -128; c <= 127; c++) {
            char *s = malloc(n);
            for (int k = 0; k < n; k++) s[k] = (char)(c + k > 127 ? c : c + k);
            to_upper(s, n);
            for (int k = 0; k < n; k++) {
                int old = c + k > 127 ? c : c + k;
                assert(s[k] == (old >= 97 && old <= 122 ? old - 32 : old));
            }
            free(s);
        }
    return 0;
}
#endif
