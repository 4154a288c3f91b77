// smalti: --stages bounded
// Different members and elements do not overlap.
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct S {
    int k;
    int a[4];
    int z;
};

int main(void) {
    struct S s = {1, {2, 3, 4, 5}, 6}, t[4] = {{0}};
    if (__VERIFIER_nondet_int()) {
        memcpy(s.a, s.a + 2, 2 * sizeof(int));
        assert(s.a[1] != 5);           //@ VIOLATED   the last cell
    } else {
        memcpy(t, t + 2, 2 * sizeof *t);
        assert(t[0].k != 0);           //@ VIOLATED   all zeros
    }
    return 0;
}
