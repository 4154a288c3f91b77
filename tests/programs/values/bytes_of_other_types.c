// smalti: --stack values --stages domains --checks bounds
// A copy between objects of different types changes the bytes that it copies, and no others.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern void *memset(void *, int, __SIZE_TYPE__);

struct image {
    unsigned short magic, size;
};

struct message {
    int source, kind;
};

static unsigned char disk[40][64];
static struct {
    struct message slot[4];
    int rest;
} k;
static int cells[4];

int main(void) {
    struct image head = {3, 2}, back;
    k.rest = 3;
    memcpy(disk[3], &head, sizeof head);
    cells[k.rest] = 1;                                          //@ PROVED bounds
    cells[disk[3][2]] = 1;                                      //@ PROVED bounds
    memcpy(&back, disk[3], sizeof back);
    cells[back.size] = 1;                                       //@ PROVED bounds
    memset(disk[3] + 1, 4, 2);
    cells[disk[3][0]] = 1;                                      //@ PROVED bounds
    cells[disk[3][2]] = 1;                                      //@ RESIDUAL! bounds

    struct message m = {1, 2}, *p = &k.slot[__VERIFIER_nondet_uchar() % 4];
    k.slot[__VERIFIER_nondet_uchar() % 4] = m;
    cells[k.rest] = 1;                                          //@ PROVED bounds
    m = k.slot[__VERIFIER_nondet_uchar() % 4];
    cells[m.kind] = 1;                                          //@ PROVED bounds
    memset(p, 0, sizeof *p);
    cells[k.slot[1].kind] = 1;                                  //@ PROVED bounds
    m.kind = 4;
    k.slot[__VERIFIER_nondet_uchar() % 4] = m;
    cells[k.slot[1].kind] = 1;                                  //@ RESIDUAL! bounds
    return 0;
}
