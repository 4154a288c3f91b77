// Two counters that meet.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n], l = 0, r = n - 1;
    while (l < r) {
        a[l] = 1;
        a[r] = 2;
        l++;
        r--;
    }
    return 0;
}
