// A queue in a ring; taking from an empty queue gives nothing.
#define SLOTS 4
extern int __VERIFIER_nondet_int(void);

struct ring {
    int slots[SLOTS];
    unsigned head, count;
};

static int put(struct ring *r, int value) {
    if (r->count == SLOTS) return -1;
    r->slots[(r->head + r->count) % SLOTS] = value;
    r->count++;
    return 0;
}

static int take(struct ring *r, int *value) {
#ifndef BROKEN
    if (r->count == 0) return -1;
#endif
    *value = r->slots[r->head]; // fails: initialised
    r->head = (r->head + 1) % SLOTS;
    if (r->count > 0) r->count--;
    return 0;
}

int main(void) {
    struct ring r;
    r.head = r.count = 0;
    int taken = 0, value;
    for (int i = 0; i < 30; i++) {
        if (__VERIFIER_nondet_int()) {
            put(&r, i);
        } else if (take(&r, &value) == 0) {
            if (value > taken) taken = value;
        }
    }
    return taken > 29;
}
