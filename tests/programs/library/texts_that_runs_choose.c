// smalti: --stages bounded --checks bounds
// The arguments of `main` and the variables of the environment are inputs of a failing run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tiles[16];

static void split(char *text) {
    char *equals = strchr(text, '=');
    *equals = 0;                                    //@ VIOLATED bounds     there is no equals sign
}

int main(int argc, char **argv) {
    if (argc > 2) split(argv[2]);
    if (argc == 2) {
        if (strlen(argv[1]) > 4)
            tiles[8 * argc] = 1;                    //@ VIOLATED bounds     a long argument
        if (strcmp(argv[1], "0") == 0) return 1;
        int n = atoi(argv[1]);
        tiles[n] = 1;                               //@ VIOLATED bounds     no number of a tile
    }
    const char *most = getenv("MOST_TILES");
    int n = most ? atoi(most) : 16;
    if (n > 16) n = 16;
    tiles[n - 1] = 1;                               //@ VIOLATED bounds     there are none
    return 0;
}
