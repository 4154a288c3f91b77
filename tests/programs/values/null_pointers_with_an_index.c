// smalti: --stages domains --stack values --checks assertion,bounds
/* A pointer that may be null is used with an index. Where a run goes on, it was not null. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct pool {
    int *cells;
    int used, limit;
};

static int add(struct pool *p, int value) {
    if (p->used == p->limit) return -1;
    int *cells = p->cells, n = p->used++;
    cells[n] = value;      //@ RESIDUAL! bounds
    assert(p->limit == 8); //@ PROVED
    return 0;
}

static void an_element_of_null(void) {
    struct pool p = {NULL, 0, 8};
    if (__VERIFIER_nondet_int()) p.cells = calloc(8, sizeof *p.cells);
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && add(&p, i) == 0; i++) {}
    assert(p.limit == 8); //@ PROVED
}

/* Nothing is known of where the sum leads while nothing is read there. */
static void a_sum_without_access(void) {
    char *p = __VERIFIER_nondet_int() ? NULL : malloc(16);
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 16) return;
    char *q = p + n;
    assert(q != NULL); //@ RESIDUAL!
    free(p);
}

int main(void) {
    an_element_of_null();
    a_sum_without_access();
    return 0;
}
