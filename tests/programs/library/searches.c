// smalti: --stages run,domains --stack values --checks bounds,assertion
// What `bsearch` finds is one of the elements, and nobody says which ones it compares.
#include <stdlib.h>

static int compared;

static int order(const void *a, const void *b) {
    const int *x = a, *y = b;
    compared++;
    return *x < *y ? -1 : *x > *y;
}

int main(void) {
    int table[5] = {1, 3, 5, 5, 9}, key = 5, other = 4;
    int *found = bsearch(&key, table, 5, sizeof *table, order);
    //@ RESIDUAL    found != 0
    //@ RESIDUAL!   found == 0 || found == table + 3
    //@ RESIDUAL!   compared < 1
    if (found != 0) {
        //@ PROVED      found >= table && found < table + 5
        *found = 6;                                                             //@ PROVED bounds
    }
    found = bsearch(&other, table, 0, sizeof *table, order);
    //@ PROVED      found == 0
    return 0;
}
