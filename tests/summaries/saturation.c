// Each cell is limited, in place.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    int a[n + 1];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (a[i] > 255) a[i] = 255;
        if (a[i] < 0) a[i] = 0;
    }
    for (int i = 0; i < n; i++) assert(0 <= a[i] && a[i] <= 255);
    return 0;
}
