// smalti: --checks assertion
// The report assumes that they agree with the definitions: a run that makes
// another call decides nothing.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static int twice();

int main(void) {
    if (__VERIFIER_nondet_int()) {
        assert(twice(2u) == 5);        //@ VIOLATED   it differs in the sign alone
    }
    int y = twice(1.5);
    assert(y == 3);                    //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
static int twice(int x) { return 2 * x; }
