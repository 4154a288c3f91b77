// smalti: --stages summary --checks assertion
// Near misses: the order of the cells is turned around.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

enum { LENGTH = 20 };

static void reverse(int *cells, int n) {
    for (int i = 0; i < n / 2; i++) {
        int kept = cells[i];
        cells[i] = cells[n - 1 - i];
        cells[n - 1 - i] = kept;
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000) return 0;
    int *a = malloc(n * sizeof *a), *b = malloc((n + 1) * sizeof *b), fixed[LENGTH], before[LENGTH];
    if (!a || !b) return 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    b[0] = 0;
    for (int i = 0; i < n; i++) b[n - 1 - i] = a[i];
    for (int i = 0; i < n; i++) {
        __VERIFIER_assert(b[i] == a[n - 1 - i]);      //@ PROVED
        //@ RESIDUAL! i == 0 || b[i] == a[n - i]  by one cell
        //@ RESIDUAL! b[i] == a[i]  not turned around
    }
    __VERIFIER_assert(b[0] == a[n - 1]);      //@ PROVED
    //@ RESIDUAL! b[0] == a[n - 2]  the cell before the last one
    for (int i = 0; i < LENGTH; i++) before[i] = fixed[i] = __VERIFIER_nondet_int();
    reverse(fixed, LENGTH);
    for (int i = 0; i < LENGTH; i++) {
        __VERIFIER_assert(fixed[i] == before[LENGTH - 1 - i]);      //@ PROVED
        //@ RESIDUAL! i == LENGTH - 1 || fixed[i] == before[LENGTH - 2 - i]  by one cell
    }
    reverse(fixed, LENGTH - 1);
    __VERIFIER_assert(fixed[LENGTH - 1] == before[0]);      //@ PROVED
    __VERIFIER_assert(fixed[0] == before[1]);      //@ PROVED
    //@ RESIDUAL! fixed[0] == before[0]  the second reversal leaves out the last cell
    return 0;
}
