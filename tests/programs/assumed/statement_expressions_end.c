// smalti: --checks assertion
// A statement expression is a block: its declarations end with it, its value does not.
#include <assert.h>

struct pair { int a, b; };

static void is_gone(void) {
    int *p;
    ({ int x = 3; p = &x; 0; });
    assert(*p != 3);                   //@ RESIDUAL   its block has ended
}

static void literal_is_gone(void) {
    int *p = ({ (int[]){ 1, 2 }; });
    assert(*p != 1);                   //@ RESIDUAL   the literal is one of that block
}

static void left_by_a_jump(void) {
    int *p;
    for (;;) {
        ({ int x = 1; p = &x; if (x) break; 0; });
    }
    assert(*p != 1);                   //@ RESIDUAL   its block has been left
}

static void value(void) {
    struct pair v = ({ struct pair t = { 1, 2 }; struct pair *q = &t; q->b = 5; t; });
    assert(v.a == 1 && v.b == 5);      //@ PROVED     a copy
    int y = ({ int x = 3; int *q = &x; *q + 1; });
    assert(y != 4);                    //@ VIOLATED   it is 4
}

static void head_of_a_loop(void) {
    int i = 0;
    do {
        i++;
    } while (({ int x = i; int *q = &x; *q; }) < 3);
    assert(i != 3);                    //@ VIOLATED   each test has an object of its own
}

int main(void) {
    switch (__VERIFIER_nondet_int()) {
    case 0: is_gone(); break;
    case 1: literal_is_gone(); break;
    case 2: left_by_a_jump(); break;
    case 3: value(); break;
    case 4: head_of_a_loop(); break;
    }
    return 0;
}
