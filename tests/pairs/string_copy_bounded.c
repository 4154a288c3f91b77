// Copies at most M characters. The copy may lack a terminator: the last assertion can fail.
// by pointer: s is at used, d is at used
#include <assert.h>
#define N 100
#define M 8
extern char __VERIFIER_nondet_char(void);
char from[N], to[M];

int main(void) {
    for (int k = 0; k < N - 1; k++) from[k] = __VERIFIER_nondet_char();
    for (int k = 0; k < M; k++) to[k] = '?';
#ifdef WALK
    char *s = from, *d = to;
    while (d < to + M && *s) *d++ = *s++;
    if (d < to + M) *d = 0;
    int used = (int)(d - to);
#else
    int used = 0;
    while (used < M && from[used]) {
        to[used] = from[used];
        used++;
    }
    if (used < M) to[used] = 0;
#endif
    assert(0 <= used && used <= M);
    for (int k = 0; k < used; k++) assert(to[k] != 0);
    assert(used < M);
    return 0;
}
