// Looks for a value, with a flag.
// by pointer: p is at at
#include <assert.h>
#define N 100
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    int found = 0;
#ifdef WALK
    int *p = a;
    while (p < a + N && !found) {
        if (*p == x) found = 1;
        else p++;
    }
    int at = (int)(p - a);
#else
    int at = 0;
    while (at < N && !found) {
        if (a[at] == x) found = 1;
        else at++;
    }
#endif
    if (found) assert(a[at] == x);
    else
        for (int k = 0; k < N; k++) assert(a[k] != x);
    return 0;
}
