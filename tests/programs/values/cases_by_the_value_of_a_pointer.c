// smalti: --stack values --stages domains --checks bounds,division
// What is tested through a pointer to one of a few objects holds when it is used.
extern unsigned char __VERIFIER_nondet_uchar(void);

struct slot {
    struct slot *next;
    int value, at, by;
};

struct ring {
    unsigned char in, count, byte[8];
};

static struct slot table[4];
static struct ring rings[4];
static int cells[4];

static int use(struct slot *slot) {
    int sum = 0;
    if (slot->next != 0)
        sum += slot->next->value;                               //@ PROVED bounds
    if (slot->at < 4)
        sum += cells[slot->at];                                 //@ PROVED bounds
    if (slot->by > 0)
        sum += 100 / slot->by;                                  //@ PROVED division
    int at = slot->at;
    sum += cells[at];                                           //@ RESIDUAL! bounds
    return sum;
}

static void put(struct ring *ring) {
    if (ring->count < 8) {
        ring->byte[ring->in] = 1;                               //@ PROVED bounds
        ring->in++;
        if (ring->in >= 8)
            ring->in = 0;
        ring->count++;
    }
}

int main(void) {
    table[1].next = &table[2];
    table[__VERIFIER_nondet_uchar() % 4].at = __VERIFIER_nondet_uchar();
    table[__VERIFIER_nondet_uchar() % 4].by = __VERIFIER_nondet_uchar();
    int n = __VERIFIER_nondet_uchar() % 4;
    if (table[n].at < 4)
        cells[table[n].at] = 1;                                 //@ PROVED bounds
    while (__VERIFIER_nondet_uchar())
        put(&rings[__VERIFIER_nondet_uchar() % 4]);
    return use(&table[__VERIFIER_nondet_uchar() % 4]);
}
