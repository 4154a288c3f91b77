// smalti: --stack values --stages domains --checks bounds
// Pointers into different members of one object do not lead to what lies between them, and an
// array in one of several structs does not overlap the other members.
extern unsigned char __VERIFIER_nondet_uchar(void);

struct process {
    struct process *next;
    char name[4];
    int number;
};

static struct {
    struct process table[4];
    int rest;
    struct process *head;
} k;
static int cells[4];

int main(void) {
    struct process **link = &k.head;
    k.rest = 3;
    k.head = &k.table[1];
    k.table[1].next = &k.table[2];
    while (*link != 0 && __VERIFIER_nondet_uchar())
        link = &(*link)->next;                                  //@ PROVED bounds
    *link = &k.table[3];
    cells[k.rest] = 1;                                          //@ PROVED bounds

    struct process *p = &k.table[__VERIFIER_nondet_uchar() % 4];
    p->number = 2;
    p->name[__VERIFIER_nondet_uchar() % 4] = 9;                 //@ PROVED bounds
    cells[k.table[2].number] = 1;                               //@ PROVED bounds
    k.table[__VERIFIER_nondet_uchar() % 4].number = 4;
    cells[k.table[2].number] = 1;                               //@ RESIDUAL! bounds
    return 0;
}
