// smalti: --stack smash/box
// Assertions of the source, in the spellings that people use.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x >= 0) {
        assert(x > -1);               //@ PROVED
        assert(x != 77);              //@ VIOLATED
        __VERIFIER_assert(x != 77);   //@ PROVED   the run with 77 has ended one line above
    }
    if (x == 5 && x == 6) {
        reach_error();                //@ UNREACHABLE
    }
    return 0;
}
