// smalti: --checks assertion,bounds
// The report assumes that it is not used again: a run that uses it decides nothing.
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
