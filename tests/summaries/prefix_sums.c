// Prefix sums: a recurrence along the index.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int a[n], s[n];
    for (int i = 0; i < n; i++) a[i] = 2 * i + 1;
    s[0] = a[0];
    for (int i = 1; i < n; i++) s[i] = s[i - 1] + a[i];
    assert(s[n - 1] == n * n);
    return 0;
}
