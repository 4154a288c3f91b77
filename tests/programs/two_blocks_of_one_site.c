// smalti: --stack smash/box
// Each execution of one malloc makes a block of its own.
#include <stdlib.h>

static int *make(int value) {
    int *p = malloc(sizeof(int));
    *p = value;
    return p;
}

int main(void) {
    int *cells[2];
    for (int i = 0; i < 2; i++) {
        cells[i] = make(i);
    }
    //@ PROVED      *cells[0] == 0
    //@ PROVED      *cells[1] == 1
    //@ PROVED      cells[0] != cells[1]
    //@ VIOLATED    *cells[0] == *cells[1]
    return 0;
}
