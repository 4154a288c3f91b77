// A list that grows at its end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct list {
    struct node *first, **end;
};

static int append(struct list *l, int value) {
    struct node *n = malloc(sizeof *n);
    if (!n) return -1;
    n->value = value;
#ifndef BROKEN
    n->next = NULL;
#endif
    *l->end = n;
    l->end = &n->next;
    return 0;
}

int main(void) {
    struct list l;
    l.first = NULL;
    l.end = &l.first;
    for (int i = 0; i < 6; i++) {
        int value = __VERIFIER_nondet_int();
        if (value == 0) break;
        if (append(&l, value) != 0) return 1;
    }
    int positive = 0;
    for (struct node *n = l.first; n; n = n->next) // fails: initialised
        if (n->value > 0) positive++;
    while (l.first) {
        struct node *next = l.first->next;
        free(l.first);
        l.first = next;
    }
    return positive;
}
