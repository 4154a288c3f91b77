// smalti: --checks assertion,bounds
// smalti: --stages unwind --checks assertion,bounds
// Arrays of arrays are copied element by element, whatever part of them is named.
#include <string.h>

int main(void) {
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}}, copy[2][3] = {{0}}, again[2][3] = {{0}}, third[2][3] = {{0}};
    memcpy(copy, rows, sizeof copy);                //@ PROVED bounds
    //@ PROVED   copy[1][1] == 5 && copy[0][0] == 1
    memcpy(again[0], rows[0], sizeof again);        //@ PROVED bounds
    //@ PROVED   again[1][1] == 5 && again[1][2] == 6
    memcpy(third[1], rows[0], sizeof third[1]);     //@ PROVED bounds
    //@ PROVED   third[1][2] == 3 && third[0][0] == 0
    return 0;
}
