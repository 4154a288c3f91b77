// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// Unknown code keeps an address out of a block that was allocated again, and writes there when it is called again.
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
