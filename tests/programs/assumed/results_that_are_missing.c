// smalti: --checks assertion
// That whoever uses a result gets one is assumed, and listed: no run that uses what is none shows
// anything.
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
