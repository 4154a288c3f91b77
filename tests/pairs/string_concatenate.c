// Appends a short string to another.
// by pointer: d is at length, s is at j
#include <assert.h>
#define N 100
#define M 10
extern char __VERIFIER_nondet_char(void);
char to[N], tail[M];

int main(void) {
    for (int k = 0; k < N - M; k++) to[k] = __VERIFIER_nondet_char();
    for (int k = 0; k < M - 1; k++) tail[k] = __VERIFIER_nondet_char();
#ifdef WALK
    char *d = to, *s = tail;
    while (*d) d++;
    while (*s) *d++ = *s++;
    *d = 0;
    int length = (int)(d - to);
#else
    int length = 0, j = 0;
    while (to[length]) length++;
    while (tail[j]) to[length++] = tail[j++];
    to[length] = 0;
#endif
    assert(0 <= length && length < N);
    assert(to[length] == 0);
    for (int k = 0; k < length; k++) assert(to[k] != 0);
    return 0;
}
