// smalti: --stack values --stages domains --checks bounds,division
// An array in one of many structs is written: the other members of all structs stay as they are.
extern unsigned char __VERIFIER_nondet_uchar(void);

struct node {
    int size;
    unsigned char block[4];
    struct node *next;
};

static struct {
    struct node node[4];
    char text[200];
    int rest;
} k;
static int cells[10];

static void fill(unsigned char *to, unsigned n) {
    unsigned char *end = to + n;
    while (to != end)
        *to++ = 200;                                            //@ PROVED bounds
}

static void one_block(void) {
    struct node *n = &k.node[__VERIFIER_nondet_uchar() % 4];
    n->size = 300;
    n->block[__VERIFIER_nondet_uchar() % 4] = 9;                //@ PROVED bounds
    n = &k.node[__VERIFIER_nondet_uchar() % 4];
    cells[n->block[__VERIFIER_nondet_uchar() % 4]] = 1;         //@ PROVED bounds
    cells[n->next->size / 34] = 1;                              //@ PROVED bounds
    int at = n->next->size / 30;
    cells[at] = 1;                                              //@ RESIDUAL! bounds
}

static void all_of_one(void) {
    struct node *n = &k.node[__VERIFIER_nondet_uchar() % 4];
    fill(n->block, 4);
    n = &k.node[__VERIFIER_nondet_uchar() % 4];
    cells[n->next->size / 34] = 1;                              //@ PROVED bounds
    int at = n->block[0] / 20;
    cells[at] = 1;                                              //@ RESIDUAL! bounds
}

static void each_member(void) {
    struct node *n = &k.node[__VERIFIER_nondet_uchar() % 4];
    for (unsigned char *b = n->block; b != n->block + 4; b++)
        *b = 3;                                                 //@ PROVED bounds
    cells[n->next->size / 34] = 1;                              //@ PROVED bounds
}

static void many_places(void) {
    k.text[__VERIFIER_nondet_uchar() % 200] = 100;              //@ PROVED bounds
    cells[k.rest] = 1;                                          //@ PROVED bounds
    int at = k.text[__VERIFIER_nondet_uchar() % 200];
    cells[at] = 1;                                              //@ RESIDUAL! bounds
}

static void over_the_end(void) {
    struct node *n = &k.node[0];
    while (__VERIFIER_nondet_uchar())
        n++;
    n->size = 1;                                                //@ RESIDUAL! bounds
}

int main(void) {
    for (int i = 0; i < 4; i++)
        k.node[i].next = &k.node[0];                            //@ PROVED bounds
    one_block();
    all_of_one();
    each_member();
    many_places();
    over_the_end();
    return 0;
}
