// Marks the multiples of p from 2 p on, below n.
// twin: m < n => m <= n
// twin: m = 2 * p => m = 3 * p
// open: ensures.1 ensures.2 ensures.3
/*@ requires 2 <= p <= n <= 100000;
    requires \valid(comp + (0 .. n-1));
    assigns comp[0 .. n-1];
    ensures \forall integer k; 2 * p <= k < n && k % p == 0 ==> comp[k] == 1;
    ensures \forall integer k; 0 <= k < n && k % p != 0 ==> comp[k] == \old(comp[k]);
    ensures \forall integer k; 0 <= k < 2 * p && k < n ==> comp[k] == \old(comp[k]); */
void sieve_step(unsigned char *comp, int n, int p) {
    for (int m = 2 * p; m < n; m += p)
        comp[m] = 1;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 2; n <= 30; n++)
        for (int p = 2; p <= n; p++) {
            unsigned char *c = malloc(n);
            memset(c, 5, n);
            sieve_step(c, n, p);
            for (int k = 0; k < n; k++) assert(c[k] == (k >= 2 * p && k % p == 0 ? 1 : 5));
            free(c);
        }
    return 0;
}
#endif
