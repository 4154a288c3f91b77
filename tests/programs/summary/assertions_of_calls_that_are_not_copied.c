// smalti: --stages summary --checks assertion
// The copy of a recursive function that the summary sees is not its only call, and functions that
// are called through pointers have no copy.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int down(int n) {
    __VERIFIER_assert(n > 3);         //@ RESIDUAL!  fails at the seventh call
    return n > 0 ? down(n - 1) : 0;
}

int order(const void *a, const void *b) {
    __VERIFIER_assert(*(const int *)a > 0);   //@ RESIDUAL!  a cell may be 0
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int cells[2] = {0, __VERIFIER_nondet_int() % 100};
    qsort(cells, 2, sizeof cells[0], order);
    return down(10);
}
