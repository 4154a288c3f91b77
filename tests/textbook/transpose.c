// Transposes a square matrix in place.
// twin: j = i + 1 => j = 0
// twin: j < n => j <= n
// open: ensures.1
// slow
/*@ requires 0 <= n <= 100;
    requires \valid(m + (0 .. n*n-1));
    assigns m[0 .. n*n-1];
    ensures \forall integer i, j; 0 <= i < n && 0 <= j < n ==> m[i*n+j] == \old(m[j*n+i]); */
void transpose(int *m, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            int t = m[i * n + j];
            m[i * n + j] = m[j * n + i];
            m[j * n + i] = t;
        }
    }
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 0; n <= 4; n++) {
        int *m = malloc(n * n * sizeof *m);
        for (int k = 0; k < n * n; k++) m[k] = k;
        transpose(m, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) assert(m[i * n + j] == j * n + i);
        free(m);
    }
    return 0;
}
#endif
