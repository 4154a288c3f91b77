// smalti: --stages run,domains --stack values --checks bounds,assertion
// A function of a system header knows variables by their addresses, and functions that it gets.
#include <stdlib.h>
#include <unistd.h>

static int kept = 3, reached = 3, sizes[4];
int named = 3;
static int add(int n) { return n >= 0 && n < 4 ? sizes[n] : 0; }    //@ PROVED bounds
static int sub(int n) { return n >= 0 && n < 4 ? -sizes[n] : 0; }   //@ PROVED bounds
static int (*const table[])(int) = {add, sub};

int main(int argc, char **argv) {
    int *p = &reached;
    (void)argv;
    nice(1);
    //@ PROVED      kept == 3
    //@ PROVED      named == 3
    //@ RESIDUAL!   reached == 3
    //@ RESIDUAL!   *p == 3
    return table[argc > 1](kept);
}
