// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages prune
// smalti: --stages shrink
// smalti: --stages refine
// smalti: --stages unwind
// smalti: --stages domains,summary,bounded,slice,prune,shrink,refine,unwind
// The undefined operation does not matter to the condition, so a slice omits it.
#include <assert.h>

int counter;

int main(void) {
    int zero = 0;
    for (int i = 0; i < 100; i++) {
        counter = 1 / zero;
    }
    int last = 7;
    assert(last == 7);                //@ RESIDUAL  every run divides by zero
    return 0;
}
