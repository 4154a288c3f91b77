// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages shrink
// smalti: --stages refine
// smalti: --stages unwind
// smalti: --stages domains,summary,bounded,slice,prune,shrink,refine,unwind
// The second operand is not evaluated: the condition is defined.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), zero = 0;
    int x = n > 3 ? 1 : 2;
    assert(x == 1 || x == 2 || n / zero == 1);    //@ PROVED   no operand that is evaluated is undefined
    return 0;
}
