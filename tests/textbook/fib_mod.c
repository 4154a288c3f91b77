// Table of the Fibonacci numbers, the last three digits of each.
// twin: % 1000 => % 1001
// twin: i = 2 => i = 3
/*@ requires 2 <= n <= 1000;
    requires \valid(f + (0 .. n-1));
    assigns f[0 .. n-1];
    ensures f[0] == 0 && f[1] == 1;
    ensures \forall integer k; 0 <= k < n ==> 0 <= f[k] < 1000;
    ensures \forall integer k; 2 <= k < n ==> f[k] == (f[k-1] + f[k-2]) % 1000; */
void fib_mod(int *f, int n) {
    f[0] = 0;
    f[1] = 1;
    for (int i = 2; i < n; i++)
        f[i] = (f[i - 1] + f[i - 2]) % 1000;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 2; n <= 40; n++) {
        int *f = malloc(n * sizeof *f);
        for (int k = 0; k < n; k++) f[k] = 7;
        fib_mod(f, n);
        assert(f[0] == 0 && f[1] == 1);
        for (int k = 0; k < n; k++) {
            assert(0 <= f[k] && f[k] < 1000);
            if (k >= 2) assert(f[k] == (f[k - 1] + f[k - 2]) % 1000);
        }
        free(f);
    }
    return 0;
}
#endif
