// Builds a list and frees all of it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct item {
    int key;
    struct item *next;
};

static struct item *push(struct item *head, int key) {
    struct item *i = malloc(sizeof *i);
    if (!i) return head;
    i->key = key;
    i->next = head;
    return i;
}

static void destroy(struct item *head) {
#ifdef BROKEN
    for (struct item *i = head; i; i = i->next) free(i); // fails: lifetime
#else
    while (head) {
        struct item *next = head->next;
        free(head);
        head = next;
    }
#endif
}

int main(void) {
    struct item *head = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && i < 50; i++) head = push(head, i);
    destroy(head);
    return 0;
}
