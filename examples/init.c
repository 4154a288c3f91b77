// Sets every cell of an array, then checks any one of the first n.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#include <assert.h>

int main(void) {
    int a[100];
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= n && n <= 100);
    for (int i = 0; i < 100; i++) {
        a[i] = 7;
    }
    int k = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= k && k < n);
    assert(a[k] == 7);
    return 0;
}
