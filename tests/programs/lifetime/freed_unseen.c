// smalti: --stages run,domains --stack values --checks lifetime
// Where a pointer of unknown value is freed, any block may have ended, but none that is made later.
#include <stdlib.h>

int *any_pointer(void);

int main(void) {
    int *before = malloc(sizeof *before), local = 1, *to_local = &local;
    *before = 1;                    //@ PROVED lifetime
    if (__VERIFIER_nondet_int() == 3)
        free(any_pointer());
    *before = 2;                    //@ RESIDUAL! lifetime
    *to_local = 2;                  //@ PROVED lifetime
    int *after = malloc(sizeof *after);
    *after = 3;                     //@ PROVED lifetime
    free(after);                    //@ PROVED lifetime
    *after = 4;                     //@ RESIDUAL! lifetime
    return 0;
}
