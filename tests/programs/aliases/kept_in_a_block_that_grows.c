// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// Unknown code stores an address from a block that was reallocated, and writes there in a later
// call.
#include <stdlib.h>
extern void keep(int *), poke(void);

int main(void) {
    int x;
    int **cells = malloc(sizeof *cells);
    cells[0] = &x;
    int **more = realloc(cells, 2 * sizeof *cells);
    keep(more[0]);
    x = 0;
    poke();
    //@ RESIDUAL!   x == 0
    return 0;
}
