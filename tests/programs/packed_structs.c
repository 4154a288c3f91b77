// smalti: --checks assertion,bounds
// The members of a packed struct follow each other without a gap.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);

struct __attribute__((packed)) header
{
    unsigned char kind;
    unsigned length;
    unsigned short sum;
};

unsigned char frame[sizeof(struct header) + 8];

int main(void)
{
    struct header h;
    h.kind = 7;
    h.length = 8;
    h.sum = 0x1234;
    memcpy(frame, &h, sizeof h);
    __VERIFIER_assert(sizeof h == 7); //@ PROVED
    __VERIFIER_assert(frame[0] == 7); //@ PROVED
    __VERIFIER_assert(frame[1] == 8); //@ PROVED
    __VERIFIER_assert(frame[5] == 0x34 && frame[6] == 0x12); //@ PROVED
    struct header *p = (struct header *)frame;
    __VERIFIER_assert(p->length == 8); //@ PROVED
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 8)
        return 0;
    frame[sizeof *p + i] = 1; //@ RESIDUAL! bounds
    return 0;
}
