// smalti: --stack values --stages domains --checks bounds,division
// One of many objects is cleared and then gets values; low bits say what a number is a multiple of.
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct proc {
    int state, weight;
};

static struct proc tab[4];
static int cells[32];
static const struct proc blank = {0, 1};

static int cleared(void) {
    struct proc *p = &tab[__VERIFIER_nondet_uchar() % 4];
    memset(p, 0, sizeof *p);
    p->weight = 1;
    return 100 / tab[__VERIFIER_nondet_uchar() % 4].weight;     //@ PROVED division
}

static int copied(void) {
    struct proc *p = &tab[__VERIFIER_nondet_uchar() % 4];
    *p = blank;
    p->weight++;
    return 100 / tab[__VERIFIER_nondet_uchar() % 4].weight;     //@ PROVED division
}

static int lowest_bit(unsigned free) {
    int bit = 0;
    if (free == 0)
        return 0;
    while (!(free & 1)) {
        free >>= 1;
        bit++;
    }
    return cells[bit];                                          //@ PROVED bounds
}

static int aligned(unsigned n) {
    if ((n & 7) != 4 || n > 30)
        return 0;
    return cells[n + 3] + 10 / (n - 8);                         //@ PROVED bounds
}

static int not_aligned(unsigned n) {
    if ((n & 5) != 4 || n > 40)
        return 0;
    return cells[n];                                            //@ RESIDUAL! bounds
}

static int forgotten(void) {
    struct proc *p = &tab[__VERIFIER_nondet_uchar() % 4];
    memset(p, 0, sizeof *p);
    if (__VERIFIER_nondet_uchar())
        p->weight = 1;
    return 100 / tab[__VERIFIER_nondet_uchar() % 4].weight;     //@ RESIDUAL! division
}

static int step_and_wrap(void) {
    static struct {
        unsigned char in, count, byte[8];
    } ring[4];
    for (int i = 0; i < 1000; i++) {
        int n = __VERIFIER_nondet_uchar() % 4;
        ring[n].byte[ring[n].in] = 1;                           //@ PROVED bounds
        if (++ring[n].in >= 8)
            ring[n].in = 0;
    }
    return ring[0].in;
}

int main(void) {
    for (int i = 0; i < 4; i++)
        tab[i].weight = 1 + __VERIFIER_nondet_uchar() % 16;
    return cleared() + copied() + lowest_bit(__VERIFIER_nondet_uint()) + aligned(__VERIFIER_nondet_uint()) +
        not_aligned(__VERIFIER_nondet_uint()) + step_and_wrap() + forgotten();
}
