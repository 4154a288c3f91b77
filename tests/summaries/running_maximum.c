// The greatest cell, and where it is first.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int most = a[0], at = 0;
    for (int i = 1; i < n; i++)
        if (a[i] > most) {
            most = a[i];
            at = i;
        }
    for (int i = 0; i < n; i++) assert(a[i] <= most);
    return at;
}
