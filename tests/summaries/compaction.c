// The positive cells, in their order.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), kept = 0;
    if (n < 0) return 0;
    int a[n + 1], b[n + 1];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        if (a[i] > 0) b[kept++] = a[i];
    for (int i = 0; i < kept; i++) assert(b[i] > 0);
    return 0;
}
