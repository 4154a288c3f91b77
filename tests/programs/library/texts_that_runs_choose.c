// smalti: --stages bounded --checks bounds,assertion
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
    const char *most = getenv("MOST_TILES");
    int n = most ? atoi(most) : 16;
    if (n > 16) n = 16;
    tiles[n - 1] = 1;                               //@ VIOLATED bounds     there are none
    //@ RESIDUAL    argv[argc] == 0
    if (argc < 2) return 1;
    //@ VIOLATED    strlen(argv[1]) < 20
    char copy[30];
    strcpy(copy, argv[1]);
    //@ VIOLATED    argv[1][0] != '-'
    if (argc > 2) split(argv[2]);
    puts(copy);
    return 0;
}
