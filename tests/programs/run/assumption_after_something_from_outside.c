// smalti: --stages run
// There are other runs, in which the assumption holds.
#include <assert.h>

extern void __VERIFIER_assume(int condition);

int main(void) {
    int x;
    __VERIFIER_assume(x == 4);
    assert(x != 4);                   //@ RESIDUAL!
    return 0;
}
