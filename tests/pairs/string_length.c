// The length of a string.
// by pointer: p is at length
#include <assert.h>
#define N 100
extern char __VERIFIER_nondet_char(void);
char s[N];

int main(void) {
    for (int k = 0; k < N - 1; k++) s[k] = __VERIFIER_nondet_char();
    s[N - 1] = 0;
#ifdef WALK
    const char *p = s;
    while (*p) p++;
    int length = (int)(p - s);
#else
    int length = 0;
    while (s[length]) length++;
#endif
    assert(0 <= length && length < N);
    assert(s[length] == 0);
    for (int k = 0; k < length; k++) assert(s[k] != 0);
    return 0;
}
