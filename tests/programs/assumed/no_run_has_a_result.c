// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages shrink
// smalti: --stages refine
// smalti: --stages unwind
// Every run breaks an assumption: nothing is proved.
#include <assert.h>

static int nothing(void) { }

int main(void) {
    int x = nothing();
    assert(x == x);                    //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
