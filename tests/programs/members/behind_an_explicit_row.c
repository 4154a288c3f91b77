// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// Sums of addresses move over all rows; an index names an element of its row.
#include <string.h>
struct row { int cells[2]; int last; };

int main(void) {
    int table[2][3] = {{0}};
    *(&table[0][0] + 4) = 1;
    //@ RESIDUAL!   table[1][1] == 0
    (&table[0][0])[5] = 2;
    //@ RESIDUAL!   table[1][2] == 0
    *(table[0] + 3) = 3;
    //@ RESIDUAL!   table[1][0] == 0
    struct row row = {{1, 2}, 3};
    memset(row.cells, 0, 3 * sizeof(int));
    //@ RESIDUAL!   row.last == 3
    return 0;
}
