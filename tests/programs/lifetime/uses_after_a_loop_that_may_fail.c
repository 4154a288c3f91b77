// smalti: --stages domains --checks bounds,lifetime
/* The loop may leave the block, so nothing is said of what comes after it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 1 || n > 64) return 1;
    char *block = malloc(n);
    for (int i = 0; i < m; i++) block[i] = (char)i; //@ RESIDUAL! bounds
    free(block);
    if (n > 64) return block[0]; //@ RESIDUAL lifetime
    return 0;
}
