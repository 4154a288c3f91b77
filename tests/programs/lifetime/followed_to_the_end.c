// smalti: --stages run,unwind --checks lifetime
// Blocks whose ends the value analysis cannot tell apart: all runs are followed to their end.
#include <stdlib.h>

struct node {
    struct node *next;
    int *numbers;
    int users;
};

static struct node *push(struct node *list, int users)
{
    struct node *new = malloc(sizeof *new);
    if (!new)
        return list;
    new->numbers = malloc(3 * sizeof(int));
    new->users = users;
    new->next = list;
    if (new->numbers)
        new->numbers[1] = users; //@ PROVED lifetime
    return new;
}

static void drop(struct node *node)
{
    free(node->numbers); //@ PROVED lifetime   a member goes first
    free(node);          //@ PROVED lifetime
}

static void release(struct node *node)
{
    node->users--; //@ PROVED lifetime
    if (node->users == 0)
        drop(node);
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 1; i < 3; i++)
        list = push(list, i);
    // The middle of the list is taken out.
    int place = __VERIFIER_nondet_int();
    struct node **link = &list;
    while (*link && place-- > 0)
        link = &(*link)->next; //@ PROVED lifetime
    if (*link) {
        struct node *gone = *link;
        *link = gone->next; //@ PROVED lifetime
        drop(gone);
    }
    int sum = 0;
    for (struct node *n = list; n; n = n->next) //@ PROVED lifetime
        if (n->numbers)
            sum += n->numbers[1] & 7; //@ PROVED lifetime
    while (list) {
        struct node *next = list->next; //@ PROVED lifetime
        while (list->users > 1)
            release(list);
        release(list);
        list = next;
    }
    // A block that is made later is another object.
    int *cells[3] = {0};
    for (int i = 0; i < 3; i++) {
        cells[i] = malloc(sizeof(int));
        if (i > 0)
            free(cells[i - 1]); //@ PROVED lifetime
        if (cells[i])
            *cells[i] = i; //@ PROVED lifetime
    }
    int *last = cells[2], *null = cells[0] ? 0 : cells[0];
    free(null); //@ PROVED lifetime
    int which = __VERIFIER_nondet_int();
    if (which)
        free(last); //@ PROVED lifetime   only one of the branches frees it
    else
        free(cells[2]); //@ PROVED lifetime
    return sum;
}
