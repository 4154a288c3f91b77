// smalti: --checks assertion
// smalti: --stages bounded
// The report assumes that they do not return: a run that continues after one decides nothing.
#include <assert.h>

static _Noreturn void leave(int x) { (void)x; }
static void stay(int x) { (void)x; }
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int()) {
        stay(1);
        assert(0);                     //@ VIOLATED   a function that may return
    }
    leave(2);
    assert(0);                         //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
