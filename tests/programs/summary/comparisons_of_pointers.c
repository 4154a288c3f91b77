// smalti: --stages summary --checks assertion
// Pointers into different objects are different, but not at their ends. Blocks that one statement
// allocates are different objects.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int *own[3], a[4], b[4], *end = a + 4;
    for (int i = 0; i < 3; i++) {
        own[i] = malloc(sizeof *own[i]);
        if (!own[i]) return 0;
    }
    __VERIFIER_assert(own[0] != own[1]);        //@ PROVED
    __VERIFIER_assert(a != b);                  //@ PROVED
    if (__VERIFIER_nondet_int() == 1)
        __VERIFIER_assert(end != b);            //@ RESIDUAL!  one may lie behind the other
    return 0;
}
