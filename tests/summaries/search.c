// The first cell that is equal to a key.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int(), i = 0;
    if (n < 0) return 0;
    int a[n + 1];
    for (int k = 0; k < n; k++) a[k] = __VERIFIER_nondet_int();
    while (i < n && a[i] != key) i++;
    if (i < n) assert(a[i] == key);
    for (int k = 0; k < i; k++) assert(a[k] != key);
    return 0;
}
