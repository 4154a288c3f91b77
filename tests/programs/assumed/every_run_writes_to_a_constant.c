// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages shrink
// smalti: --stages refine
// smalti: --stages unwind
// Every run breaks an assumption: nothing is proved.
#include <assert.h>

int main(void) {
    const int k = 3;
    int *p = (int *)&k;
    *p = 4;
    assert(k == 4);                    //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
