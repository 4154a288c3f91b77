// A counter that wraps around.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned char small = 250;
    unsigned n = 0;
    while (small != 3) {
        small++;
        n++;
    }
    assert(n == 9);
    return 0;
}
