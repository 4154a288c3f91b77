// Sets the first n cells of an array, then looks at one of the first m.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int a[100];
    int n = __VERIFIER_nondet_int();
    int m = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= n && n <= m && m <= 100);
    for (int i = 0; i < n; i++) {
        a[i] = 7;
    }
    int k = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= k && k < m);
    assert(a[k] == 7);
    return 0;
}
