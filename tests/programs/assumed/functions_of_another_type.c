// smalti: --checks assertion
// The report assumes that pointers point to functions of their type: a run that calls another
// decides nothing.
#include <assert.h>

static int same(int x) { return x; }
static int none(void) { return 7; }
static int (*table[1])(int) = {same};
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int y = table[0](4);
    if (__VERIFIER_nondet_int()) {
        assert(y == 5);                //@ VIOLATED   it has the type that it is called with
    }
    if (__VERIFIER_nondet_int()) {
        int (*f)(int) = (int (*)(int))none;
        y = f(1);
        assert(y == 1);                //@ RESIDUAL   no run reaches this point that counts
    }
    if (__VERIFIER_nondet_int()) {
        y = ((int (*)(double))same)(1.5);
        assert(y == 2);                //@ RESIDUAL   nor here
    }
    return 0;
}
