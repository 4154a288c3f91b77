// smalti: --stages domains --checks bounds,lifetime
/* The value analysis reaches no use after the end of the block. It does not know that the loop
   stays inside of the block, but the octagons do: no run ends there. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int fills(int n) {
    char *block = malloc(n);
    for (int i = 0; i < n; i++) block[i] = (char)i; //@ PROVED bounds
    int last = block[n - 1];
    free(block);
    if (n > 64) last = block[0]; //@ UNREACHABLE lifetime
    return last;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 64) return 1;
    return fills(n);
}
