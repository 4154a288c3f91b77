// smalti: --checks assertion,bounds
// The report assumes that it is not used again: a run that uses it decides nothing.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    int *old = p;
    free(p);
    p = malloc(sizeof *p);
    *p = 2;
    int *twice = malloc(sizeof *twice);
    if (*p == 3) {
        free(twice);
    }
    free(twice);
    assert(*p == 2);                   //@ PROVED   memory that was not freed
    *old = 3;
    assert(*old == 4);                 //@ RESIDUAL   memory that was freed
    return 0;
}
