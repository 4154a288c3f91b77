// smalti: --time-limit 20
// Where `free` is called through a pointer, any block may have ended.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    void (*end)(void *) = free;
    if (__VERIFIER_nondet_int() == 3) {
        end(p);
        *p = 2;  //@ RESIDUAL! lifetime
        free(p); //@ RESIDUAL! lifetime
    }
    return 0;
}
