// smalti: --stages domains --stack values
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct parser {
    unsigned type : 2, flags : 8, state : 7;
    int level : 5;
    unsigned char more;
    unsigned error : 7, done : 1;
};

union word {
    struct {
        unsigned low : 4, high : 4;
    } part;
    unsigned char all;
};

static void step(struct parser *p) {
    assert(p->error == 0); //@ PROVED assertion
    if (__VERIFIER_nondet_int()) p->state = 3;
    else p->state = 9;
    p->done = 1;
}

static void choose(struct parser *a, struct parser *b) {
    struct parser *p = __VERIFIER_nondet_int() ? a : b;
    p->error = 5;
}

int main(void) {
    struct parser p;
    memset(&p, 0, sizeof p);
    p.level = -3;
    for (int i = 0; i < 10; i++) step(&p);
    assert(p.state <= 9);                   //@ PROVED assertion
    assert(p.level == -3 && p.done == 1);    //@ PROVED assertion
    assert(p.flags == 0 && p.more == 0);    //@ PROVED assertion
    struct parser q = p, r = {0};
    assert(q.level == -3 && q.type == 0);   //@ PROVED assertion
    choose(&q, &r);
    assert(q.error == 0 || q.error == 5);   //@ PROVED assertion
    assert(q.error <= 5 && r.error <= 5);   //@ PROVED assertion
    assert(r.level == 0);                   //@ PROVED assertion
    q.state = (unsigned)__VERIFIER_nondet_int();
    if (q.state > 100) return 1;
    assert(q.state <= 100);                 //@ PROVED assertion
    q.flags++;
    q.state += 200;
    assert(q.state <= 127);                 //@ PROVED assertion
    struct { unsigned a : 3, : 2, b : 3; } s;
    s.a = 7;
    s.b = 1;
    unsigned sum = s.a + s.b;               //@ PROVED initialised
    assert(sum == 8);                       //@ PROVED assertion
    struct parser all[3] = {{0}};
    all[__VERIFIER_nondet_int() ? 0 : 1] = p;
    assert(all[1].done <= 1 && all[0].level <= 0 && all[2].level == 0); //@ PROVED assertion
    struct parser *one = __VERIFIER_nondet_int() ? &all[1] : &r;
    r = *one;
    assert(r.state <= 9 && r.error <= 5);   //@ PROVED assertion
    union word w;
    w.all = 0x5a;
    assert(w.part.low == 10 && w.part.high == 5); //@ PROVED assertion
    w.part.low = 3;
    assert(w.all == 0x53);                  //@ PROVED assertion
    return 0;
}
