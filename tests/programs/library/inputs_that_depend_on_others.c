// smalti: --stages bounded --checks bounds,assertion
// A line without an end is the last one. Two texts of the environment may be the same. So what is
// read later is no input of a failing run.
#include <stdio.h>
#include <stdlib.h>

static int tiles[2];

int main(void) {
    char line[3] = {'x', 'x', 'x'};
    if (fgets(line, sizeof line, stdin) && line[0] != '\n' && line[1] == 0 && line[2] == 'x') {
        int c = getchar();
        //@ RESIDUAL    c == EOF
    }
    const char *a = getenv("TILES");
    //@ VIOLATED    a != 0
    if (a == 0) return 1;
    int n = 2;
    if (a[0] != 0 && a[1] != 0)
        tiles[n] = 1;                                //@ VIOLATED bounds
    const char *b = getenv("TILES");
    //@ RESIDUAL    b != 0 && a[0] == b[0]
    return 0;
}
