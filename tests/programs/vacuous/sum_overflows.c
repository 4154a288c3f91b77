// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages prune
// smalti: --stages shrink
// smalti: --stages refine
// smalti: --stages unwind
// smalti: --stages domains,summary,bounded,slice,prune,shrink,refine,unwind
// The sum exceeds the largest value of its type before the loop ends.
#include <assert.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 600; i++) {
        sum += 5000000;
    }
    assert(sum != 1);                 //@ RESIDUAL  no run reaches this point
    return 0;
}
