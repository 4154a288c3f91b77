// Shapes that know how to compute their area.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct shape {
    int (*area)(const struct shape *);
    int a, b;
};

static int rectangle(const struct shape *s) { return s->a * s->b; } // fails: overflow
static int square(const struct shape *s) { return s->a * s->a; }
static int triangle(const struct shape *s) { return s->a * s->b / 2; } // fails: overflow

static struct shape make(int kind, int a, int b) {
    static int (*const areas[])(const struct shape *) = {rectangle, square, triangle};
    struct shape s = {areas[kind], a, b};
    return s;
}

int main(void) {
    struct shape shapes[3];
    long total = 0;
    for (int i = 0; i < 3; i++) {
        int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
#ifdef BROKEN
        if (a < 0 || a > 10000 || b < 0) return 1;
#else
        if (a < 0 || a > 10000 || b < 0 || b > 10000) return 1;
#endif
        shapes[i] = make(i, a, b);
    }
    for (int i = 0; i < 3; i++) total += shapes[i].area(&shapes[i]);
    assert(total >= 0);
    return total > 1000;
}
