// A table on the heap with a counter for each identifier.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct counters {
    size_t size;
    unsigned *of;
};

static int create(struct counters *c, size_t size) {
    c->size = size;
#ifdef BROKEN
    c->of = malloc(size * sizeof *c->of);
#else
    c->of = calloc(size, sizeof *c->of);
#endif
    return c->of ? 0 : -1;
}

static void count(struct counters *c, unsigned id) {
    if (id < c->size) c->of[id] += 1; // fails: initialised
}

int main(void) {
    unsigned size = __VERIFIER_nondet_uint();
    if (size == 0 || size > 4096) return 1;
    struct counters c;
    if (create(&c, size) != 0) return 2;
    for (int i = 0; i < 50; i++) count(&c, __VERIFIER_nondet_uint());
    unsigned first = c.of[0]; // fails: initialised
    free(c.of);
    return first > 3;
}
