// A binary search tree: insertion and search by recursion.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int key) {
    if (!t) {
        t = malloc(sizeof *t);
        if (!t) abort();
        t->key = key;
        t->left = t->right = NULL;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    }
    return t;
}

static int depth_of(const struct tree *t, int key) {
#ifndef BROKEN
    if (!t) return -1;
#endif
    if (t->key == key) return 0; // fails: bounds
    int d = depth_of(key < t->key ? t->left : t->right, key);
    return d < 0 ? d : d + 1;
}

static void destroy(struct tree *t) {
    if (!t) return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void) {
    struct tree *t = NULL;
    for (int i = 0; i < 5; i++) t = insert(t, __VERIFIER_nondet_int());
    int d = depth_of(t, __VERIFIER_nondet_int());
    destroy(t);
    return d > 3;
}
