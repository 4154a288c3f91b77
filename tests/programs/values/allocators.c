// smalti: --stages domains --stack values
// Where all calls of a function are executed together, each call of an allocator has blocks of its
// own. What runs once makes one block, and what is written there replaces what was there.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int kind; int *data; };
struct list { struct node *first; int count; };

static void fail(int code) { exit(code); }

static void *allocate(size_t size) {
    void *p = malloc(size);
    if (p == 0) fail(3);
    return p;
}

static struct node *node_of(int kind, int n) {
    struct node *made = allocate(sizeof *made);
    made->kind = kind;
    made->data = allocate((size_t)n * sizeof(int));
    for (int i = 0; i < n; i++) made->data[i] = kind;
    return made;
}

static int work(int n) { int r = 0; for (int i = 0; i < 2000; i++) r ^= n + i; return r; }
static int calls_4(int n) { return work(n) ^ work(n + 1) ^ work(n + 2) ^ work(n + 3); }
static int calls_16(int n) { return calls_4(n) ^ calls_4(n + 4) ^ calls_4(n + 8) ^ calls_4(n + 12); }
static int calls_64(int n) { return calls_16(n) ^ calls_16(n + 16) ^ calls_16(n + 32) ^ calls_16(n + 48); }
static int calls_256(int n) { return calls_64(n) ^ calls_64(n + 64) ^ calls_64(n + 128) ^ calls_64(n + 192); }

static int sum(const struct node *of, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s ^= of->data[i];
    return s;
}

static void once(struct list *l) {
    l->first = node_of(1, 4);
    l->first->kind = 2;
    l->count = 1;
}

static int *first_0, *last_0, *first_1, *last_1, *first_2, *last_2, *first_3, *last_3;

static void twice(int k) {
    int *made = malloc(sizeof *made);
    *made = work(k);
    if (first_0 == 0) first_0 = made;
    last_0 = made;
}

static void handed(int k) {
    int *made = malloc(sizeof *made);
    *made = work(k);
    if (first_1 == 0) first_1 = made;
    last_1 = made;
}

static void jumped(int k) {
    int *made = malloc(sizeof *made);
    *made = work(k);
    if (first_2 == 0) first_2 = made;
    last_2 = made;
}

static void looped(int k) {
    int *made = malloc(sizeof *made);
    *made = work(k);
    if (first_3 == 0) first_3 = made;
    last_3 = made;
}

static void jump_back(void) {
    int k = 0;
again:
    jumped(k);
    if (++k < 2) goto again;
}

static void call(void (*f)(int), int k) { f(k); }

int main(void) {
    struct list *l = allocate(sizeof *l);
    once(l);
    struct node *big = node_of(7, 100);
    int r = calls_256(1) ^ calls_256(300);
    //@ PROVED      l->first->kind == 2 && l->count == 1
    int fourth = l->first->data[3];   //@ PROVED initialised
    int hundredth = big->data[99];        //@ PROVED initialised
    //@ PROVED      hundredth == 7
    r ^= sum(big, 100);

    // Not these: calls in a loop, two calls, calls by pointers, and a jump back.
    struct list *kept = 0;
    for (int k = 0; k < 3; k++) {
        struct list *made = allocate(sizeof *made);
        made->count = k;
        if (k == 0) kept = made;
    }
    //@ RESIDUAL!   kept->count == 2
    twice(0);
    twice(1);
    //@ RESIDUAL!   first_0 == last_0
    handed(0);
    call(handed, 1);
    //@ RESIDUAL!   first_1 == last_1
    jump_back();
    //@ RESIDUAL!   first_2 == last_2
    for (int k = 0; k < 2; k++) looped(k);
    //@ RESIDUAL!   first_3 == last_3
    return r ^ fourth ^ hundredth;
}
