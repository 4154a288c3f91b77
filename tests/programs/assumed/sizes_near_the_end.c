// smalti: --checks bounds
// Allocation never fails, and sizes do not wrap around: a run that asks for too much decides
// nothing.
#include <stdlib.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    char *p = malloc(n);               //@ PROVED bounds   within the size
    int *q = malloc(n * sizeof *q);    //@ PROVED bounds   within the size
    int *r = calloc(n, sizeof *r);     //@ PROVED bounds   within the size
    long *s = calloc(8, n);            //@ PROVED bounds   within the size
    if (n > 0) {
        p[0] = 1;                      //@ PROVED bounds   within the size
        q[n - 1] = 1;                  //@ PROVED bounds   within the size
        r[n - 1] = 1;                  //@ PROVED bounds   within the size
        s[n - 1] = 1;                  //@ PROVED bounds   within the size
    }
    return 0;
}
