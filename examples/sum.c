// Adds up marks between 0 and 10: the sum is never negative, and never more than ten times their number.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int marks[6];
    for (int i = 0; i < 6; i++) {
        int mark = __VERIFIER_nondet_int();
        __VERIFIER_assume(0 <= mark && mark <= 10);
        marks[i] = mark;
    }
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        sum += marks[i];
    }
    assert(sum >= 0);
    assert(sum <= 60);
    return 0;
}
