// An object that several owners share: the last one frees it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct shared {
    int references;
    int payload;
};

static struct shared *create(int payload) {
    struct shared *s = malloc(sizeof *s);
    if (!s) abort();
    s->references = 1;
    s->payload = payload;
    return s;
}

static struct shared *retain(struct shared *s) {
    s->references++;
    return s;
}

static void release(struct shared *s) {
    if (--s->references == 0) free(s);
}

int main(void) {
    struct shared *original = create(__VERIFIER_nondet_int());
#ifdef BROKEN
    struct shared *copy = original;
#else
    struct shared *copy = retain(original);
#endif
    int done = __VERIFIER_nondet_int();
    if (done) release(original);
    int payload = copy->payload; // fails: lifetime
    release(copy);
    if (!done) {
#ifndef BROKEN
        release(original);
#endif
    }
    return payload == 7;
}
