// smalti: --checks assertion
// Objects end where control leaves their block; variable-length arrays also where it jumps back
// before their declaration.
#include <assert.h>

static void before_the_declaration(void) {
    int *p = 0;
    for (int k = 0; k < 2; k++) {
        if (k == 1) {
            assert(*p != 3);           //@ RESIDUAL   that of the iteration before
        }
        int x = 3;
        p = &x;
    }
}

static void of_the_loop(void) {
    int *p = 0;
    for (int i = 5, k = 0; k < 2; k++) {
        if (k == 1) {
            assert(*p != 5);           //@ VIOLATED   one object for all iterations
        }
        p = &i;
    }
}

static void array_again(int n) {
    int *p = 0, k = 0;
back:
    if (k == 1) {
        assert(*p != 3);               //@ RESIDUAL   the jump has ended it
    }
    int a[n];
    a[0] = 3;
    p = a;
    if (k++ < 1) {
        goto back;
    }
}

static void array_stays(int n) {
    int *p = 0, k = 0;
    int a[n];
back:
    a[0] = 3;
    p = a;
    if (k++ < 1) {
        goto back;
    }
    assert(*p != 3);                   //@ VIOLATED   the jump leads to where it is declared
}

static void same_object(void) {
    int *p = 0, k = 0;
back:;
    int x = k;
    if (k == 0) {
        p = &x;
        k = 1;
        goto back;
    }
    assert(p != &x);                   //@ RESIDUAL   C makes no new object there: an assumption
}

static void compared(void) {
    int *p;
    {
        int x = 1;
        p = &x;
    }
    {
        int y = 2;
        assert(p == &y);               //@ RESIDUAL   the address of what is gone is no value
    }
}

int main(void) {
    switch (__VERIFIER_nondet_int()) {
    case 0: before_the_declaration(); break;
    case 1: of_the_loop(); break;
    case 2: array_again(2); break;
    case 3: array_stays(2); break;
    case 4: same_object(); break;
    case 5: compared(); break;
    }
    return 0;
}
