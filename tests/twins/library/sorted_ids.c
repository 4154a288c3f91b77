// Sorts identifiers and searches one, with a comparison function.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
#ifdef BROKEN
    return x - y; // fails: overflow
#else
    return (x > y) - (x < y);
#endif
}

int main(void) {
    int ids[6];
    for (int i = 0; i < 6; i++) ids[i] = __VERIFIER_nondet_int();
    qsort(ids, 6, sizeof ids[0], compare);
    int wanted = __VERIFIER_nondet_int();
    int *found = bsearch(&wanted, ids, 6, sizeof ids[0], compare);
    return found ? (int)(found - ids) : -1;
}
