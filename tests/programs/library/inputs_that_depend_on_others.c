// smalti: --stages bounded --checks bounds,assertion
// A line without an end is the last one. What is not known to be given by some library, after what
// was given before, is no input of a failing run.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[8];
    if (fgets(line, sizeof line, stdin) && strlen(line) < 7 && !strchr(line, '\n')) {
        int c = getchar();
        //@ RESIDUAL    c == EOF
    }
    //@ RESIDUAL    isalpha('a') == 1
    //@ RESIDUAL    strcmp("a", "b") == -1
    //@ VIOLATED    strcmp("a", "b") > -1
    const char *a = getenv("TILES"), *b = getenv("TILES");
    //@ VIOLATED    a != 0
    if (a == 0 || b == 0) return 1;
    //@ RESIDUAL    a[0] == b[0]
    return 0;
}
