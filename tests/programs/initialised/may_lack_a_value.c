// smalti: --stages domains
// Reads of what perhaps nothing has written: none may be proved.
#include <stdlib.h>
#include <string.h>

struct whole {
    int a, b;
    unsigned low : 3, high : 5;
    int table[3];
};

static void maybe(int *to, int n)
{
    if (n & 1)
        *to = n;
}

static struct whole made(int n)
{
    struct whole w;
    w.a = n;
    w.low = 1;
    return w;
}

static int second(struct whole w)
{
    return w.b; //@ RESIDUAL! initialised   what is passed lacks it
}

static int deep(int n, int *to)
{
    int below;
    if (n <= 0) {
        if (n < 0)
            *to = 1;
        return 0;
    }
    deep(n - 1, &below);
    *to = below; //@ RESIDUAL! initialised   after deep(0)
    return n;
}

static int entered(int n)
{
    int x;
    if (n > 3)
        goto inside;
    x = 1;
    while (n < 3) {
    inside:
        n++;
    }
    return x; //@ RESIDUAL! initialised   the jump passed its only write
}

static struct whole all;
static struct whole *any = &all;

/* Not followed, because of its arguments. */
static void spread(int n, ...)
{
    struct whole lacks;
    lacks.a = n;
    *any = lacks;
}

int main(void)
{
    int choice = __VERIFIER_nondet_int() & 7, x, y = 0, a[4], calls;
    maybe(&x, choice);
    y ^= x; //@ RESIDUAL! initialised
    a[choice & 3] = 1;
    y ^= a[2]; //@ RESIDUAL! initialised   another element may have been written
    for (int i = 0; i < choice; i++)
        a[i & 3] = i;
    y ^= a[3]; //@ RESIDUAL! initialised

    struct whole s = made(choice), t;
    t = s;
    y ^= t.high;      //@ RESIDUAL! initialised   only the other bits were
    y ^= t.table[1];  //@ RESIDUAL! initialised
    y ^= second(t);
    memcpy(&t.table, a, sizeof t.table);
    y ^= t.table[0]; //@ RESIDUAL! initialised   bytes that may lack a value

    int *block = malloc(3 * sizeof *block);
    memset(block, 0, sizeof *block);
    y ^= *block;   //@ PROVED initialised
    y ^= block[2]; //@ RESIDUAL! initialised
    for (int i = 0; i < choice; i++) {
        int *other = malloc(sizeof *other);
        if (i)
            *other = 1;
        y ^= *other; //@ RESIDUAL! initialised
    }

    for (int i = 0; i < choice; i++) {
        if (i & 1)
            goto past;
        int z = 5;
        y ^= z; //@ PROVED initialised
    past:
        y ^= z; //@ RESIDUAL! initialised   it may have no value, whatever it held before
    }
    struct whole filled;
    memset(&filled, 0, sizeof filled);
    any = &filled;
    y ^= any->b; //@ PROVED initialised
    spread(1);
    y ^= any->b; //@ RESIDUAL! initialised   a copy of what lacks it
    y ^= entered(choice);
    deep(choice, &calls);
    return y ^ calls; //@ RESIDUAL! initialised
}
