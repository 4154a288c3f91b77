// smalti: --checks assertion,bounds
// That it is not used again is assumed, and listed: no run that does shows anything.
#include <assert.h>
#include <stdlib.h>

int global;

int main(void) {
    int *p = malloc(sizeof *p);
    int *q = realloc(p, 8);
    free(p);
    assert(global == 1);               //@ RESIDUAL   `realloc` has freed it
    free(q);
    return 0;
}
