// smalti: --stages bounded
// Null may be freed, and a seed without a random number after it has no effect.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    free(0);
    srand(1);
    srand(2);
    int a = rand();
    assert(n != 7);                    //@ VIOLATED   the input
    assert(a != 7);                    //@ VIOLATED   the number
    return 0;
}
