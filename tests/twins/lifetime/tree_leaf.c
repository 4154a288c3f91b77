// A node with two children, either of which may be cut off.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int weight;
    struct node *left, *right;
};

static struct node *leaf(int weight) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->weight = weight;
    n->left = n->right = NULL;
    return n;
}

static void cut(struct node *parent, int which) {
    struct node **child = which ? &parent->right : &parent->left;
    free(*child);
#ifndef BROKEN
    *child = NULL;
#endif
}

static int total(const struct node *n) {
    int sum = n->weight;
    if (n->left) sum += n->left->weight; // fails: lifetime
    if (n->right) sum += n->right->weight;
    return sum;
}

int main(void) {
    struct node *root = leaf(1);
    root->left = leaf(2);
    root->right = leaf(4);
    if (__VERIFIER_nondet_int() > 0) cut(root, 0);
    int sum = total(root);
    if (root->left) cut(root, 0);
    cut(root, 1);
    free(root);
    return sum > 7;
}
