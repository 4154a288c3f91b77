// Copies a string with its terminator.
// by pointer: s is at used, d is at used
#include <assert.h>
#define N 100
extern char __VERIFIER_nondet_char(void);
char from[N], to[N];

int main(void) {
    for (int k = 0; k < N - 1; k++) from[k] = __VERIFIER_nondet_char();
    from[N - 1] = 0;
#ifdef WALK
    char *s = from, *d = to;
    while ((*d++ = *s++) != 0) {}
    int used = (int)(d - to);
#else
    int used = 0;
    while ((to[used] = from[used]) != 0) used++;
    used++;
#endif
    assert(1 <= used && used <= N);
    assert(to[used - 1] == 0);
    for (int k = 0; k < used; k++) assert(to[k] == from[k]);
    return 0;
}
