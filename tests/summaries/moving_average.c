// Reads at three indexes.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 3) return 0;
    int a[n], mean[n];
    for (int i = 0; i < n; i++) a[i] = 3 * i;
    for (int i = 1; i < n - 1; i++) mean[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 1; i < n - 1; i++) assert(mean[i] == 3 * i);
    return 0;
}
