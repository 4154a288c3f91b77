// smalti: --stages domains,bounded --checks assertion
/* Where a pointer is null, its call is undefined, and no function is called in its place. */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

static int ready;

static void run(void) {
    assert(ready); //@ RESIDUAL
}

int main(void) {
    void (*f)(void) = NULL;
    if (__VERIFIER_nondet_int() > 0) {
        ready = 1;
        f = run;
    }
    f();
    return 0;
}
