// Fills a block of the heap, whose length is an input.
// by pointer: p is at i
#include <assert.h>
#include <stdlib.h>
#define N 100
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > N) return 0;
    int *block = malloc(n * sizeof(int));
    if (!block) return 0;
#ifdef WALK
    for (int *p = block; p < block + n; p++) *p = 9;
#else
    for (int i = 0; i < n; i++) block[i] = 9;
#endif
    for (int k = 0; k < n; k++) assert(block[k] == 9);
    free(block);
    return 0;
}
