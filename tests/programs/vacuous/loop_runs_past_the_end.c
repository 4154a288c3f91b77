// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages prune
// smalti: --stages shrink
// smalti: --stages refine
// smalti: --stages unwind
// smalti: --stages domains,summary,bounded,slice,prune,shrink,refine,unwind
// Every run leaves the array in its last iteration: no run leaves the loop.
#include <assert.h>

int main(void) {
    int a[10];
    int sum = 0;
    for (int i = 0; i <= 10; i++) {
        a[i] = 1;
        sum++;
        assert(sum <= 11);
    }
    assert(a[3] == 1);                //@ RESIDUAL  no run reaches this point
    return 0;
}
