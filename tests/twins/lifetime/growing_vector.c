// A vector that moves when it grows.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct vector {
    int *data;
    size_t size, capacity;
};

static int push(struct vector *v, int value) {
    if (v->size == v->capacity) {
        size_t capacity = v->capacity ? 2 * v->capacity : 4;
        int *data = realloc(v->data, capacity * sizeof *data);
        if (!data) return -1;
        v->data = data;
        v->capacity = capacity;
    }
    v->data[v->size++] = value;
    return 0;
}

int main(void) {
    struct vector v = {NULL, 0, 0};
    if (push(&v, 1) != 0) return 1;
#ifdef BROKEN
    int *first = &v.data[0];
#endif
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && i < 100; i++)
        if (push(&v, i) != 0) break;
#ifndef BROKEN
    int *first = &v.data[0];
#endif
    *first += 1; // fails: lifetime
    int result = v.data[0];
    free(v.data);
    return result == 1;
}
