// Texts in an arena live until the arena is released.
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct arena {
    char *base;
    size_t used, size;
};

static char *allocate(struct arena *a, size_t n) {
    if (n > a->size - a->used) return NULL;
    char *p = a->base + a->used;
    a->used += n;
    return p;
}

static void release(struct arena *a) {
    free(a->base);
    a->base = NULL;
    a->used = a->size = 0;
}

int main(void) {
    struct arena a = {malloc(256), 0, 256};
    if (!a.base) return 1;
    char *last = NULL;
    for (int i = 0; i < 100; i++) {
        int n = __VERIFIER_nondet_int();
        if (n < 1 || n > 40) break;
        char *p = allocate(&a, (size_t)n);
        if (!p) break;
        memset(p, 'a', (size_t)n);
        last = p;
    }
#ifdef BROKEN
    release(&a);
    char c = last ? *last : '\0'; // fails: lifetime
#else
    char c = last ? *last : '\0';
    release(&a);
#endif
    return c == 'a';
}
