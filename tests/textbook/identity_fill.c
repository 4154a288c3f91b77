// Makes a square matrix the identity.
// twin: i == j => i <= j
// twin: j < n => j < n - 1
// open: ensures.1 ensures.2 assigns.1
// slow
/*@ requires 0 <= n <= 100;
    requires \valid(m + (0 .. n*n-1));
    assigns m[0 .. n*n-1];
    ensures \forall integer i, j; 0 <= i < n && 0 <= j < n && i != j ==> m[i*n+j] == 0;
    ensures \forall integer i; 0 <= i < n ==> m[i*n+i] == 1; */
void identity_fill(int *m, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            m[i * n + j] = i == j ? 1 : 0;
    }
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0; n <= 4; n++) {
        int *m = malloc(n * n * sizeof *m);
        for (int k = 0; k < n * n; k++) m[k] = 7;
        identity_fill(m, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) assert(m[i * n + j] == (i == j));
        free(m);
    }
    return 0;
}
#endif
