// smalti: --checks assertion
// A literal lives to the end of the block around it (C11 6.5.2.5p5), in whatever part of an
// expression it stands.
#include <assert.h>

static int *same(int *p) {
    return p;
}

static void in_a_conditional(int c) {
    int *p = c ? (int[]){ 3 } : (int[]){ 4 };
    assert(*p != 4);                   //@ VIOLATED   it is there
}

static void after_and(int c) {
    int *p = 0;
    c && (p = (int[]){ 3 });
    assert(!p || *p != 3);             //@ VIOLATED   it is there
}

static void in_a_call(int c) {
    int *p = c ? same((int[]){ 3 }) : 0;
    assert(!p || *p != 3);             //@ VIOLATED   it is there
}

static void after_its_block(int c) {
    int *p = 0;
    {
        p = c ? (int[]){ 3 } : 0;
    }
    assert(!p || *p != 3);             //@ RESIDUAL   its block has ended
}

static void in_a_switch(int c) {
    int *p = 0;
    for (int k = 0; k < 2; k++) {
        switch (k) {
        case 0: p = (int[]){ 4 }; break;
        case 1: assert(*p != 4); break;    //@ RESIDUAL   the body of the switch has been left
        }
    }
}

static void again(void) {
    struct s { int i; } *p = 0, *q;
    int j = 0;
back:
    q = p, p = &(struct s){ j++ };
    if (j < 2) {
        goto back;
    }
    assert(p != q);                    //@ VIOLATED   C11 6.5.2.5p16: one object
}

int main(void) {
    int c = __VERIFIER_nondet_int();
    switch (__VERIFIER_nondet_int()) {
    case 0: in_a_conditional(c); break;
    case 1: after_and(c); break;
    case 2: in_a_call(c); break;
    case 3: after_its_block(c); break;
    case 4: in_a_switch(c); break;
    case 5: again(); break;
    }
    return 0;
}
