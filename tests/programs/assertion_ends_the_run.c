// smalti: --stack smash/box
// A failing assertion ends the run: a second one after it is proved if it cannot fail first.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x < 10);                   //@ VIOLATED
    assert(x < 11);                   //@ PROVED
    assert(x < 9);                    //@ VIOLATED
    return 0;
}
