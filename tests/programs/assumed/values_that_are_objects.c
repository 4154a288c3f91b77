// smalti: --checks assertion
// A value that contains an array is an object until the end of the full expression (C11 6.2.4p8).
#include <assert.h>

struct row { int a[2]; };

static struct row made(void) {
    struct row r = { { 1, 2 } };
    return r;
}

static int sum(int *p) {
    return p[0] + p[1];
}

static void gone(void) {
    int *p = made().a;
    assert(p[1] != 2);                 //@ RESIDUAL   it was there in the initialiser alone
}

static void gone_after_a_condition(void) {
    int *p;
    if ((p = made().a) != 0) {
        assert(p[1] != 2);             //@ RESIDUAL   it was there in the condition alone
    }
}

static void in_an_arm(int c) {
    int s = sum(c ? made().a : (int[]){ 1, 1 });
    assert(s != 3);                    //@ VIOLATED   it is there in the whole call
}

static void in_a_condition(void) {
    int *p;
    if ((p = made().a) && p[1] == 2) {
        assert(0);                     //@ VIOLATED   it is there in the whole condition
    }
}

static void copied(void) {
    struct row t = { { 3, 4 } }, v;
    int *p = (v = t).a;
    assert(p != v.a);                  //@ RESIDUAL   it is a copy, and gone
}

int main(void) {
    int c = __VERIFIER_nondet_int();
    switch (__VERIFIER_nondet_int()) {
    case 0: gone(); break;
    case 1: gone_after_a_condition(); break;
    case 2: in_an_arm(c); break;
    case 3: in_a_condition(); break;
    case 4: copied(); break;
    }
    return 0;
}
