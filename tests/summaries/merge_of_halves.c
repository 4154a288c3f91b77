// Cells with even and with odd indexes.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000) return 0;
    int a[2 * n + 1], b[2 * n + 1];
    for (int i = 0; i < 2 * n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        b[2 * i] = a[i];
        b[2 * i + 1] = a[n + i];
    }
    for (int i = 0; i < n; i++) assert(b[2 * i + 1] == a[n + i]);
    return 0;
}
