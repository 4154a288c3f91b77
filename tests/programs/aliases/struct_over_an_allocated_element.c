// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind,refine,shrink,prune
// A struct placed over a heap block of other structs has members that touch two of them.
#include <stdlib.h>
struct bytes { char first, second; };
struct shifted { char head; struct bytes tail; };

int main(void) {
    struct bytes *array = malloc(8 * sizeof *array);
    array[1].first = 0;
    struct shifted *over = (struct shifted *)array;
    struct bytes *tail = &over->tail;
    tail->second = 1;
    //@ RESIDUAL!   array[1].first == 0
    return 0;
}
