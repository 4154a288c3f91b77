// smalti: --checks assertion
// C11 6.8.4p3, 6.8.5p5: a literal in the head of a statement lives as long as that statement.
#include <assert.h>

static void after_if(void) {
    int *p;
    if ((p = (int[]){ 3 }) != 0) {
    }
    assert(*p != 3);                   //@ RESIDUAL   gone with the statement
}

static void inside_of_if(void) {
    int *p;
    if ((p = (int[]){ 3 }) != 0) {
        assert(*p != 3);               //@ VIOLATED   it is there
    }
}

static void after_switch(void) {
    int *p;
    switch (*(p = (int[]){ 3 })) {
    case 3: break;
    }
    assert(*p != 3);                   //@ RESIDUAL   gone with the statement
}

static void after_while(void) {
    int *p, n = 0;
    while (*(p = (int[]){ 3 }) == 3 && n++ < 1) {
    }
    assert(*p != 3);                   //@ RESIDUAL   gone with the statement
}

static void after_for(void) {
    int *p;
    for (p = (int[]){ 3 };;) {
        break;
    }
    assert(*p != 3);                   //@ RESIDUAL   gone with the statement
}

static void for_as_a_whole(void) {
    int n = 0;
    for (int *p = (int[]){ 3 }; n < 2; n++) {
        assert(n == 0 || *p != 3);     //@ VIOLATED   one object for all iterations
    }
}

static void one_object(void) {
    int *p = 0, *q = 0, j = 0;
    while (q = p, p = (int[]){ j, 7 }, j++ < 2) {
        if (q) {
            assert(*q != 1);           //@ VIOLATED   made again, the same object has the new value
        }
    }
}

static void made_of_itself(void) {
    int *p = 0, k = 0;
    while ((p = (int[]){ p ? *p + 1 : 0, 9 })[0] < 3) {
        k++;
    }
    assert(k != 3);                    //@ VIOLATED   it counts
}

int main(void) {
    switch (__VERIFIER_nondet_int()) {
    case 0: after_if(); break;
    case 1: inside_of_if(); break;
    case 2: after_switch(); break;
    case 3: after_while(); break;
    case 4: after_for(); break;
    case 5: for_as_a_whole(); break;
    case 6: one_object(); break;
    case 7: made_of_itself(); break;
    }
    return 0;
}
