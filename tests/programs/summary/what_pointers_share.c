// smalti: --stages summary --checks assertion
// Two names of one block, a block for each iteration, and one block for all of them.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 100) return 0;
    int *p = malloc(n * sizeof *p), *q = p;
    for (int i = 0; i < n; i++) p[i] = 1;
    for (int i = 0; i < n; i++) q[i] = 2;
    int sum = 0;
    for (int i = 0; i < n; i++) sum += p[i];
    __VERIFIER_assert(sum == 2 * n);       //@ PROVED
    //@ RESIDUAL! sum == n
    int *own[100], *shared[100];
    int *one = malloc(sizeof *one);
    for (int i = 0; i < n; i++) own[i] = malloc(sizeof *own[i]);
    for (int i = 0; i < n; i++) shared[i] = one;
    for (int i = 0; i < n; i++) *own[i] = i;
    for (int i = 0; i < n; i++) *shared[i] = i;
    __VERIFIER_assert(*own[0] == 0);       //@ PROVED
    //@ RESIDUAL! *shared[0] == 0
    return 0;
}
