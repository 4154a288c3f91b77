// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind,refine,shrink,prune
// The address of a member, used as that of a struct, points into two elements of a heap block.
#include <stdlib.h>
struct bytes { char first, second; };

int main(void) {
    struct bytes *array = malloc(2 * sizeof *array);
    array[1].first = 0;
    struct bytes *within = (struct bytes *)&array[0].second;
    within->second = 1;
    //@ RESIDUAL!   array[1].first == 0
    return 0;
}
