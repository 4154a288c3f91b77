// The towers of Hanoi: the number of discs on each peg while they move.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int on_peg[3];
static unsigned moves;

static void move(int discs, int from, int to) {
    if (discs == 0) return;
    int other = 3 - from - to;
#ifdef BROKEN
    move(discs - 1, from, to);
#else
    move(discs - 1, from, other);
#endif
    on_peg[from]--;
    on_peg[to]++;
    moves++;
    move(discs - 1, other, to);
}

int main(void) {
    int discs = __VERIFIER_nondet_int();
    if (discs < 1 || discs > 6) return 1;
    on_peg[0] = discs;
    move(discs, 0, 2);
    assert(on_peg[2] == discs); // fails: assertion
    return moves > 40;
}
