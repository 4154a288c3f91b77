// The sum of products, in both directions.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    int x[n + 1], y[n + 1], dot = 0;
    for (int i = 0; i < n; i++) {
        x[i] = __VERIFIER_nondet_int();
        y[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < n; i++) dot += x[i] * y[i];
    int backwards = 0;
    for (int i = n - 1; i >= 0; i--) backwards = backwards + y[i] * x[i];
    assert(dot == backwards);
    return 0;
}
