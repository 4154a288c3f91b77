// smalti: --stages domains
// smalti: --time-limit 20
// `realloc` changes the block, and nothing else.
#include <stdlib.h>

struct list {
    int *items;
    unsigned long count, room;
};

static int add(struct list *l, int x)
{
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 4;
        l->items = realloc(l->items, l->room * sizeof *l->items); //@ PROVED lifetime
        if (!l->items)
            return -1;
    }
    l->items[l->count++] = x; //@ PROVED lifetime
    return 0;
}

int main(void)
{
    struct list l = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        if (add(&l, i))
            return 1;
    //@ PROVED l.count == 3 && l.room == 4
    l.items[2] = 7; //@ PROVED bounds
    l.items[3] = 7; //@ PROVED bounds
    int *old = l.items;
    add(&l, 3);
    add(&l, 4);
    //@ PROVED l.count == 5 && l.room == 8
    l.items[6] = 1; //@ PROVED bounds
    if (__VERIFIER_nondet_int() == 2)
        old[1] = 1; //@ RESIDUAL! lifetime   that block has been moved
    free(l.items);  //@ PROVED lifetime
    return 0;
}
