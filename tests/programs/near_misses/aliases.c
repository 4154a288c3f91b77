// smalti: --stages summary --checks assertion
// Near misses: two names of one array.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

static void shift(int *to, const int *from, int n) {
    for (int i = 0; i < n; i++) to[i] = from[i] + 1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 3 || n > 100) return 0;
    int *a = malloc(n * sizeof *a), *same = a, *copy = malloc(n * sizeof *copy);
    for (int i = 0; i < n; i++) a[i] = copy[i] = i;
    same[1] = 40;
    __VERIFIER_assert(a[1] == 40 && copy[1] == 1);      //@ PROVED
    //@ RESIDUAL! a[1] == 1  one array with two names
    //@ RESIDUAL! copy[1] == 40  a copy
    shift(copy, a, n);
    __VERIFIER_assert(copy[2] == 3);      //@ PROVED
    //@ RESIDUAL! copy[1] == 2  a[1] was written
    shift(a + 1, a, n - 1);
    // Each cell is read after it was written.
    __VERIFIER_assert(a[n - 1] == n - 1);      //@ PROVED
    //@ RESIDUAL! n < 4 || a[3] == 41  a[2] was written before
    int x = 1, y = 2, *one = __VERIFIER_nondet_int() ? &x : &y;
    *one = 5;
    __VERIFIER_assert(x == 1 || y == 2);      //@ PROVED
    //@ RESIDUAL! x == 1  it may be x
    int cells[6] = {0}, *walk = cells;
    while (walk < cells + 5) *walk++ = 1;
    __VERIFIER_assert(cells[4] == 1 && cells[5] == 0);      //@ PROVED
    //@ RESIDUAL! cells[5] == 1  the bound
    return 0;
}
