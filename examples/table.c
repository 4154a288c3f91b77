// A table of slots: a slot that is in use has an owner between 0 and 9, a free one has owner -1.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct slot {
    unsigned char used;
    int owner;
};

static struct slot table[24];

static void clear(void) {
    for (int i = 0; i < 24; i++) {
        table[i].used = 0;
        table[i].owner = -1;
    }
}

static int take(int owner) {
    for (int i = 0; i < 24; i++) {
        if (!table[i].used) {
            table[i].used = 1;
            table[i].owner = owner;
            return i;
        }
    }
    return -1;
}

int main(void) {
    clear();
    int owner = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= owner && owner < 10);
    int at = take(owner);
    assert(at < 24);
    int k = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= k && k < 24);
    assert(-1 <= table[k].owner && table[k].owner < 10);
    assert(table[k].used <= 1);
    return 0;
}
