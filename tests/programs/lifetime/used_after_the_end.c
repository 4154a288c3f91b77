// smalti: --time-limit 20
// Uses of objects that have ended, each found by a run.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static int *own(int n)
{
    int array[2] = {n, n};
    int *first = array;
    return first;
}

int main(void)
{
    int choice = __VERIFIER_nondet_int();
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        n->value = i;
        list = n;
    }
    if (choice == 0) {
        for (struct node *n = list; n; n = n->next) //@ VIOLATED lifetime   read too late
            free(n);
        return 0;
    }
    if (choice == 1) {
        free(list);
        free(list); //@ VIOLATED lifetime   a second time
        return 0;
    }
    if (choice == 3)
        return *own(choice); //@ VIOLATED lifetime   of a call that has returned
    return 0;
}
