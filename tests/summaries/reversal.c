// Two writes from both ends.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    int a[n + 1];
    for (int i = 0; i < n; i++) a[i] = 3 * i;
    for (int i = 0; i < n / 2; i++) {
        int t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
    return 0;
}
