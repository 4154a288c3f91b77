// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind,refine,shrink,prune
// Unknown code keeps what it was given, whatever way the address took, and writes there when it is called again.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
extern void keep(int *), poke(void);
struct box { int *pointer; };

static void pass_on(int count, ...) {
    va_list list;
    va_start(list, count);
    keep(va_arg(list, int *));
    va_end(list);
}

static int *give_back(int count, ...) {
    va_list list;
    va_start(list, count);
    int *given = va_arg(list, int *);
    va_end(list);
    return given;
}

int main(void) {
    int x;
    pass_on(1, &x);
    x = 0;
    poke();
    //@ RESIDUAL!   x == 0
    int y;
    keep(give_back(1, &y));
    y = 0;
    poke();
    //@ RESIDUAL!   y == 0
    int z;
    struct box from = {&z}, to;
    memcpy(&to, &from, sizeof to);
    keep(to.pointer);
    z = 0;
    poke();
    //@ RESIDUAL!   z == 0
    int v;
    int *address = &v;
    unsigned long number;
    memcpy(&number, &address, sizeof number);
    keep((int *)number);
    v = 0;
    poke();
    //@ RESIDUAL!   v == 0
    int w;
    int **cells = malloc(sizeof *cells);
    cells[0] = &w;
    int **more = realloc(cells, 2 * sizeof *cells);
    keep(more[0]);
    w = 0;
    poke();
    //@ RESIDUAL!   w == 0
    int u;
    unsigned long bits = (unsigned long)&u, copy = 0;
    for (int i = 0; i < 64; i++)
        if (bits >> i & 1)
            copy |= 1ul << i;
    keep((int *)copy);
    u = 0;
    poke();
    //@ RESIDUAL!   u == 0
    return 0;
}
