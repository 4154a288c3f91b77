// Compares two strings.
// by pointer: p is at at, q is at at
#include <assert.h>
#define N 20
extern char __VERIFIER_nondet_char(void);
char s[N], t[N];

int main(void) {
    for (int k = 0; k < N - 1; k++) {
        s[k] = __VERIFIER_nondet_char();
        t[k] = __VERIFIER_nondet_char();
    }
    s[N - 1] = t[N - 1] = 0;
#ifdef WALK
    const char *p = s, *q = t;
    while (*p && *p == *q) {
        p++;
        q++;
    }
    int at = (int)(p - s), order = *p - *q;
#else
    int at = 0;
    while (s[at] && s[at] == t[at]) at++;
    int order = s[at] - t[at];
#endif
    assert(0 <= at && at < N);
    for (int k = 0; k < at; k++) assert(s[k] == t[k]);
    if (order == 0) assert(s[at] == 0 && t[at] == 0);
    return 0;
}
