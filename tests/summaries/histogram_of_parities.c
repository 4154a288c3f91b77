// Two counts that share a condition.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), even = 0, odd = 0;
    if (n < 0) return 0;
    int a[n + 1];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (a[i] % 2 == 0) even++;
        else odd++;
    }
    assert(even + odd == n);
    return 0;
}
