// smalti: --checks assertion
// The report assumes that no run does this: a run that does decides nothing.
#include <assert.h>
#include <string.h>

struct pair {
    const int first;
    int second;
};
typedef const int row[2];

extern int __VERIFIER_nondet_int(void);
const int a[3] = {1, 2, 3};

int main(void) {
    struct pair p = {1, 2};
    row r = {1, 2};
    int own = 1;
    *(int *)&own = 2;
    p.second = 3;
    if (__VERIFIER_nondet_int()) {
        assert(own == 1);              //@ VIOLATED   it is not `const`
    }
    if (__VERIFIER_nondet_int()) {
        assert(p.second == 2);         //@ VIOLATED   nor is the other member
    }
    if (__VERIFIER_nondet_int()) {
        *(int *)&a[1] = 5;
        assert(a[1] == 2);             //@ RESIDUAL   as no run that counts comes here
    }
    if (__VERIFIER_nondet_int()) {
        memset((void *)a, 0, sizeof a);
        assert(a[0] == 1);             //@ RESIDUAL   nor here
    }
    if (__VERIFIER_nondet_int()) {
        int *first = (int *)&p.first;
        *first = 5;
        assert(p.first == 1);          //@ RESIDUAL   nor here
    }
    if (__VERIFIER_nondet_int()) {
        int *second = (int *)&r[1];
        *second = 5;
        assert(r[1] == 2);             //@ RESIDUAL   nor here
    }
    assert(a[1] == 2);                 //@ PROVED     nothing else is left
    return 0;
}
