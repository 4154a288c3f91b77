// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages shrink
// smalti: --stages refine
// smalti: --stages unwind
// Every run breaks an assumption: nothing is proved.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    free(p);
    free(p);
    assert(1);                         //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
