// smalti: --stages domains --stack values --checks bounds,division,assertion
// Functions that call themselves, to any depth, and through each other.
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct node { int depth; struct node *left, *right; int seen[4]; };

static struct node nodes[16];
static int order[16];
static int visited;

// How deep the recursion goes is not known.
static int depth_of(int n)
{
    if (n <= 0) return 0;
    return depth_of(n - 1);
}

static void visit(struct node *n)
{
    if (!n) return;
    n->depth = 3; //@ PROVED bounds
    n->seen[n->depth] = 1; //@ PROVED bounds
    visit(n->left);
    if (visited < 16) {
        order[visited] = n->depth; //@ PROVED bounds
        visited++;
    }
    visit(n->right);
}

static int is_odd(int n);

static int is_even(int n)
{
    if (n == 0) return 1;
    return is_odd(n - 1);
}

static int is_odd(int n)
{
    if (n == 0) return 0;
    return is_even(n - 1);
}

// A variable of a call that waits changes through a pointer.
static void count_down(int *left, int n)
{
    int here = 2;
    if (n > 0) {
        count_down(&here, n - 1);
    }
    assert(here == 2); //@ RESIDUAL!
    *left = 1;
}

// What is written in a call that waits is seen in the next one.
static int deepest;
static void go_down(int n)
{
    assert(deepest <= 4); //@ RESIDUAL!
    deepest = deepest + 1;
    if (n > 0) go_down(n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    for (int i = 0; i < 15; i++) {
        nodes[i].left = 2 * i + 1 < 16 ? &nodes[2 * i + 1] : NULL; //@ PROVED bounds
        nodes[i].right = 2 * i + 2 < 16 ? &nodes[2 * i + 2] : NULL;
    }
    assert(depth_of(n) == 0); //@ PROVED
    if (n > 5) visit(&nodes[0]);
    int even = is_even(n);
    assert(even >= 0 && even <= 1); //@ PROVED
    int table[2] = { 0, 0 };
    table[even] = 1; //@ PROVED bounds
    assert(table[0] + table[1] >= 0); //@ PROVED
    // Each of these fails for most numbers: what comes after it is left to the others.
    if (__VERIFIER_nondet_int()) {
        go_down(n);
    } else {
        int left = 2;
        count_down(&left, n);
        assert(left >= 1); //@ PROVED
    }
    return 0;
}
