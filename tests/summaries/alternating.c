// A value that changes its sign in each iteration, by a counter that goes down.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        return 0;
    int low = 0, high = 5, left = n;
    while (left > 0) {
        low = -1 - low;
        high = 11 - high;
        left--;
    }
    assert(low == -(n % 2) && high == 5 + n % 2);
    return 0;
}
