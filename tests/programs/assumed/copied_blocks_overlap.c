// smalti: --checks assertion,bounds
// C11 7.24.2.1: the blocks must not overlap. What happens after such a copy is not considered.
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i++) {
        a[i] = i;
    }
    if (__VERIFIER_nondet_int()) {
        memcpy(a + 5, a, 5 * sizeof(int));        //@ PROVED bounds   they touch
        assert(a[5] == 0);                        //@ PROVED   before the end
    } else if (__VERIFIER_nondet_int()) {
        memcpy(a, a, 0);
        assert(a[5] == 5);                        //@ PROVED   nothing is copied
    } else if (__VERIFIER_nondet_int()) {
        memcpy(a + 1, a, 8 * sizeof(int));
        assert(a[2] == 1);                        //@ RESIDUAL   no run reaches this point
    } else if (__VERIFIER_nondet_int()) {
        memcpy(a, a + 1, 8 * sizeof(int));
        assert(a[2] == 3);                        //@ RESIDUAL   no run reaches this point
    } else {
        int *p = a, *q = a + 2;
        memcpy(q, p, 4 * sizeof *p);
        assert(a[4] == 0);                        //@ RESIDUAL   no run reaches this point
    }
    return 0;
}
