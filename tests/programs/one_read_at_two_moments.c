// smalti: --stages refine
// smalti: --stages refine,unwind
// A cell that is read at one place of the source may hold another value each time: in the next copy
// of a macro, in the next iteration of a loop, and after it was the index of a write to itself.
#include <assert.h>
#define TWICE(cell) { cell = cell + 1; cell = cell + 1; }

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int b[3], n = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= n && n < 9);
    b[0] = n;
    b[1] = 1;
    b[2] = 7;
    TWICE(b[0])
    //@ RESIDUAL!   b[0] == n + 1
    for (int i = 0; i < 2; i++) {
        b[2] = b[2] + 1;
    }
    //@ RESIDUAL!   b[2] == 8
    b[b[1]] = b[b[1]] + 1;
    //@ RESIDUAL!   b[1] == 1
    return 0;
}
