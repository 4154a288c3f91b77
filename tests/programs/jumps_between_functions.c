// smalti: --stages domains --checks bounds,assertion
// Where control comes back to `setjmp`, everything that can have changed since holds any value.
#include <setjmp.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static jmp_buf env;
static int moved = 1;
static const int fixed = 7;
static int table[4];

static int calls(void) {
    static int count;
    count = 3;
    return count;
}

static void deeper(int *local, int *block, int i) {
    moved = 2;
    *local = 5;
    block[0] = 6;
    calls();
    if (i > 3) longjmp(env, 1);
    table[i & 3] = 1;                               //@ PROVED bounds
    //@ PROVED      i <= 3
}

static int tried(int n, int *block, int given) {
    int same = 10, address = 1, later = 1;
    int *pointer = block;
    int cells[2] = {1, 1};
    block[0] = 1;
    moved = 1;
    if (setjmp(env) == 0) {
        //@ PROVED      moved == 1 && address == 1 && block[0] == 1
        later = 2;
        given = 5;
        cells[1] = 2;
        deeper(&address, block, n);
        //@ PROVED      address == 5
        return 0;
    }
    //@ PROVED      same == 10 && fixed == 7
    //@ PROVED      pointer == block
    //@ RESIDUAL!   moved == 1
    //@ RESIDUAL!   moved == 1 || moved == 5
    //@ RESIDUAL!   address == 1
    //@ RESIDUAL!   later == 1
    //@ RESIDUAL!   given == 4
    //@ RESIDUAL!   cells[1] == 1
    //@ RESIDUAL!   block[0] == 1
    //@ RESIDUAL!   table[0] == 0
    return 1;
}

static int again(void) {
    int before = moved;
    int code = setjmp(env);
    switch (code) {
    case 0:
        //@ RESIDUAL    moved == before
        longjmp(env, 2);
    default:
        //@ RESIDUAL    code == 2
        return code;
    }
}

int main(void) {
    static int block[2];
    int result = tried(__VERIFIER_nondet_int(), block, 4);
    if (result == 0) {
        //@ PROVED      moved == 2
        again();
    }
    abort();
    //@ UNREACHABLE result == 5
}
