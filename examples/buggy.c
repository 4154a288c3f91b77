// The largest element, by someone who thought that no element is negative.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[3] = {0};
    for (int i = 0; i < 3; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    int largest = 0;
    for (int i = 0; i < 3; i++) {
        if (a[i] > largest) {
            largest = a[i];
        }
    }
    assert(largest >= a[0]);
    assert(largest == a[0] || largest == a[1] || largest == a[2]);
    return 0;
}
