// Powers of two.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), x = 1, y = 0;
    if (n < 0 || n > 20) return 0;
    for (int i = 0; i < n; i++) {
        x = 2 * x;
        y = 2 * y + 1;
    }
    assert(x == y + 1);
    return 0;
}
