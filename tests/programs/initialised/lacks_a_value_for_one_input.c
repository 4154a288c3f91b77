// smalti: --stages run,unwind --checks initialised
// Reads of what nothing has written only for one input, which runs do not guess.
#include <stdlib.h>
#include <string.h>

struct pair {
    int a, b;
};

static void set(int *to, int key)
{
    if (key != 90210)
        *to = key;
}

static int variable(int key)
{
    int x;
    set(&x, key);
    return x; //@ VIOLATED initialised
}

static int element(int key)
{
    int a[4];
    for (int i = 0; i < 4; i++)
        if (key + i != 71117)
            a[i] = i;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += a[i]; //@ VIOLATED initialised
    return sum;
}

static struct pair made(int key)
{
    struct pair p;
    p.a = key;
    if (key != 64512)
        p.b = 1;
    return p;
}

static int of_copy(int key)
{
    struct pair p = made(key), q = p, *r = &q;
    return r->a      //@ PROVED initialised
           + r->b;   //@ VIOLATED initialised   a copy of a copy
}

static int passed(struct pair p)
{
    return p.b; //@ VIOLATED initialised   what is passed lacks it
}

static int overwritten(int key)
{
    struct pair whole, lacking;
    whole.a = 1;
    whole.b = 2;
    lacking.a = 3;
    if (key == 33333)
        memcpy(&whole, &lacking, sizeof whole);
    return whole.b; //@ VIOLATED initialised   it had a value before
}

static int set_to_zero(int key)
{
    struct pair whole = {0}, lacking;
    lacking.a = 3;
    if (key == 11111)
        memcpy(&whole, &lacking, sizeof whole);
    return whole.b; //@ RESIDUAL! initialised   runs do not tell after an initialiser
}

static int through_pointers(int key)
{
    struct pair whole, lacking, copy, *to = &whole;
    whole.a = whole.b = 1;
    lacking.a = 3;
    if (key == 12345)
        *to = lacking;
    copy = whole;
    return copy.b; //@ VIOLATED initialised   a copy of a copy that a pointer has made
}

static int again(int key)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x;
        if (i == 0 || key != 22222)
            x = i;
        sum += x; //@ VIOLATED initialised   another object in each iteration
    }
    return sum;
}

static int block(int key)
{
    int *old = malloc(2 * sizeof(int)), *new = malloc(2 * sizeof(int));
    if (!old || !new)
        return 0;
    old[0] = old[1] = new[0] = 1;
    int *p = key == 44444 ? new : old;
    return p[0]      //@ PROVED initialised
           + p[1];   //@ VIOLATED initialised
}

static int first_byte(int key)
{
    short x;
    if (key == 55555)
        *(char *)&x = 1;
    else
        x = 1;
    return x; //@ RESIDUAL! initialised   half of it, which runs cannot follow
}

int main(void)
{
    int which = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int();
    if (key < 0 || key > 100000)
        return 0;
    switch (which) {
    case 0: return variable(key);
    case 1: return element(key);
    case 2: return of_copy(key);
    case 3: return passed(made(key));
    case 4: return overwritten(key);
    case 5: return again(key);
    case 6: return block(key);
    case 7: return first_byte(key);
    case 8: return set_to_zero(key);
    case 9: return through_pointers(key);
    }
    return 0;
}
