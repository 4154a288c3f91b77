// smalti: --stages run,unwind --checks lifetime
// Blocks that are used after their end only for one input, which runs do not guess.
#include <stdlib.h>

struct pair {
    int *left, *right;
};

static void release(int *p, int key)
{
    if (key == 90210)
        free(p);
}

static int *again(void)
{
    int *p = malloc(sizeof(int));
    if (!p)
        abort();
    *p = 0; //@ PROVED lifetime
    return p;
}

static void twice(int key)
{
    int *p = again(), *q = p;
    release(p, key);
    *q = 1; //@ VIOLATED lifetime   through a copy, freed in a callee
}

static void reused(int key)
{
    int *old = again();
    if (key == 71117)
        free(old);
    int *new = again();
    *new = 2; //@ PROVED lifetime   it is another block
    *old = 3; //@ VIOLATED lifetime
}

static void freed_twice(int key)
{
    int *p = again();
    if (key == 64512)
        free(p);
    free(p); //@ VIOLATED lifetime
}

static void in_a_loop(int key)
{
    int *all[3];
    for (int i = 0; i < 3; i++)
        all[i] = again();
    int picked = key - 33000;
    for (int i = 0; i < 3; i++) {
        int place = picked == 11 && i == 2 ? 0 : i;
        free(all[place]); //@ VIOLATED lifetime
    }
}

static void not_the_start(int key)
{
    int *block = malloc(4 * sizeof(int));
    if (!block)
        return;
    int *p = block;
    if (key == 55555)
        p++;
    free(p); //@ VIOLATED lifetime   it points into the middle
}

static void no_block(int key)
{
    static int global;
    int *p = again(), *kept = p;
    if (key == 44444)
        p = &global;
    free(p); //@ VIOLATED lifetime   of a variable
    (void)kept;
}

static void member(int key)
{
    struct pair *pair = malloc(sizeof *pair);
    if (!pair)
        return;
    pair->left = again();
    pair->right = again();
    int *kept = pair->right;
    if (key == 22222)
        free(pair);
    *kept = 1; //@ PROVED lifetime   it is a block of its own
    int *right = pair->right; //@ VIOLATED lifetime   it is read in the block that was freed
    free(right);              //@ PROVED lifetime
}

int main(void)
{
    int which = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int();
    switch (which) {
    case 0: twice(key); break;
    case 1: reused(key); break;
    case 2: freed_twice(key); break;
    case 3: in_a_loop(key); break;
    case 4: not_the_start(key); break;
    case 5: no_block(key); break;
    default: member(key); break;
    }
    return 0;
}
