// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages prune
// smalti: --stages shrink
// smalti: --stages refine
// smalti: --stages unwind
// smalti: --stages domains,summary,bounded,slice,prune,shrink,refine,unwind
// A run reaches an assertion if it evaluates the condition: no run does.
#include <assert.h>

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i++) {
        a[i] = i;
    }
    assert(a[10] == 4);               //@ RESIDUAL  there is no such cell
    return 0;
}
