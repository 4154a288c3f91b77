// smalti: --stages domains --stack partition/octagon
#include <stdlib.h>
int main(void) {
    int *a = malloc(10000000 * sizeof(int));
    for (int i = 0; i < 10000000; i++) a[i] = i + 1;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= 10000000) return 0;
    //@ PROVED      a[k] == k + 1
    //@ RESIDUAL!   a[k] == k + 2
    return 0;
}
