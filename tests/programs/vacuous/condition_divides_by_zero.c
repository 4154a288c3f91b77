// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages prune
// smalti: --stages shrink
// smalti: --stages refine
// smalti: --stages unwind
// smalti: --stages domains,summary,bounded,slice,prune,shrink,refine,unwind
// A run reaches an assertion if it evaluates the condition: no run does.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), z = 5;
    while (z > 0) {
        z--;
    }
    assert(x / z == 4);               //@ RESIDUAL  every run divides by zero
    return 0;
}
