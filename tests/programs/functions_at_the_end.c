// smalti: --time-limit 20
// smalti: --stages domains
// Functions that `atexit` registers run where the program ends, the last one first.
#include <stdlib.h>

static int *table, opened, order;

static void release(void)
{
    //@ PROVED order == 1   the other one has run
    free(table); //@ PROVED lifetime
    table = 0;
}

static void look(void)
{
    table[3] = 1; //@ PROVED bounds
    //@ PROVED opened == 1
    //@ RESIDUAL! order == 0 && opened == 2
    order = 1;
}

static void leave(int status)
{
    exit(status);
}

int main(void)
{
    int choice = __VERIFIER_nondet_int();
    if (choice == 1)
        exit(0);
    table = malloc(8 * sizeof *table);
    opened = 1;
    if (atexit(release) || atexit(look))
        abort();
    if (choice == 2)
        leave(3);
    if (choice == 3)
        _Exit(4);
    return table[2] = 0; //@ PROVED lifetime   the value is computed before
}
