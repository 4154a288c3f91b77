// smalti: --stages unwind --checks lifetime
// A block is freed by a function that is called through a pointer.
#include <stdlib.h>

static void (*release)(void *) = free;

int main(void)
{
    int key = __VERIFIER_nondet_int(), *p = malloc(sizeof(int));
    if (!p)
        return 1;
    if (key == 44444)
        release(p);
    *p = 2; //@ RESIDUAL! lifetime
    return 0;
}
