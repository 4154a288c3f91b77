// smalti: --checks bounds
// That the number of elements is not negative is a separate obligation.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int *p = malloc(n * sizeof *p);    //@ VIOLATED bounds   a negative number
    if (n > 0) {
        p[n - 1] = 1;
    }
    return 0;
}
