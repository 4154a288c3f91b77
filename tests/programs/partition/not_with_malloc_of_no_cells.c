// smalti: --stages domains --stack partition/octagon
#include <stdlib.h>
int main(void) {
    int n = __VERIFIER_nondet_int(), found = 0;
    if (n < 0) return 0;
    int *a = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) a[i] = 1;
    for (int i = 0; i < n; i++) if (a[i] == 1) found = 1;
    //@ RESIDUAL!   found == 1
    //@ RESIDUAL    n == 0 || found == 1    no convex set says so
    return 0;
}
