// smalti: --stack smash/box
// Heap blocks: malloc leaves their cells arbitrary, calloc sets them to 0.
#include <stdlib.h>

int main(void) {
    int *a = malloc(3 * sizeof(int));
    int *b = calloc(3, sizeof(int));
    a[0] = 1;
    //@ PROVED      a[0] == 1
    //@ VIOLATED    a[1] == 0
    //@ PROVED      b[2] == 0
    b[2] = 5;
    //@ PROVED      a[0] == 1 && b[2] == 5
    free(a);
    free(b);
    return 0;
}
