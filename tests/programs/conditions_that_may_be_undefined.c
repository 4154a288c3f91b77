// smalti: --stack smash/box
// A condition whose evaluation may be undefined can also be false.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int d = __VERIFIER_nondet_int();
    if (d < 0 || d > 5)
        return 0;
    if (__VERIFIER_nondet_int())
        assert(10 / d > 3);           //@ VIOLATED   at d == 3
    if (__VERIFIER_nondet_int())
        assert(10 / d > 1);           //@ PROVED     what is undefined comes before
    int z = 0;
    if (__VERIFIER_nondet_int())
        assert(d == 1 || (d == 0 && 10 / z > 3));   //@ VIOLATED   at d == 2, where nothing is undefined
    int a[3] = {1, 2, 3};
    if (__VERIFIER_nondet_int())
        assert(a[d] != 3);            //@ VIOLATED   at d == 2
    return 0;
}
