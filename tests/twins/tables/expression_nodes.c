// Evaluates expressions: for each kind of node, a table has a function.
#include <limits.h>
extern int __VERIFIER_nondet_int(void);

enum kind { CONSTANT, NEGATED, QUOTIENT, KINDS };

struct node {
    enum kind kind;
    int value;
    const struct node *left, *right;
};

static int eval(const struct node *n);

static int constant(const struct node *n) { return n->value; }
static int negated(const struct node *n) {
    int v = eval(n->left);
    return v == INT_MIN ? INT_MAX : -v;
}
static int quotient(const struct node *n) {
    int a = eval(n->left), b = eval(n->right);
#ifdef BROKEN
    if (a == INT_MIN && b == -1) return INT_MAX;
#else
    if (b == 0 || (a == INT_MIN && b == -1)) return INT_MAX;
#endif
    return a / b; // fails: division
}

static int (*const evaluators[KINDS])(const struct node *) = {constant, negated, quotient};

static int eval(const struct node *n) { return evaluators[n->kind](n); }

int main(void) {
    struct node a = {CONSTANT, __VERIFIER_nondet_int(), 0, 0};
    struct node b = {CONSTANT, __VERIFIER_nondet_int(), 0, 0};
    struct node minus = {NEGATED, 0, &b, 0};
    struct node all = {QUOTIENT, 0, &a, &minus};
    return eval(&all) > 0;
}
