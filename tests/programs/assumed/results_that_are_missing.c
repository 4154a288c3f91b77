// smalti: --checks assertion
// The report assumes that functions whose results are used return values: a run that uses a missing
// result decides nothing.
#include <assert.h>

static int some(int x) {
    if (x > 0) {
        return 3;
    }
}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    some(0);
    if (__VERIFIER_nondet_int()) {
        assert(some(1) == 4);          //@ VIOLATED   it returns 3, and its missing result is not used
    }
    int y = some(__VERIFIER_nondet_int());
    assert(y == 3);                    //@ RESIDUAL   anything where there is none, but no run that counts
    return 0;
}
