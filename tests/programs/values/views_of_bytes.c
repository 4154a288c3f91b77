// smalti: --stack values --stages domains
// Memory is seen through pointers of other types: bytes of numbers, numbers made of bytes.
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
struct packet { unsigned short kind; unsigned char size; unsigned int crc; };
unsigned int words[8];

int main(void) {
    unsigned char *p = (unsigned char *)words;
    for (unsigned i = 0; i < sizeof words; i++) *p++ = (unsigned char)i;        //@ PROVED bounds
    //@ PROVED      words[0] == 0x03020100u
    //@ PROVED      words[7] == 0x1f1e1d1cu
    unsigned char *end = p;
    //@ PROVED      end == (unsigned char *)words + sizeof words
    p = (unsigned char *)&words[1];
    p[1] = 0xff;                                                                //@ PROVED bounds
    //@ PROVED      words[1] == 0x0706ff04u
    *(unsigned short *)(p + 2) = 0;                                             //@ PROVED bounds
    //@ PROVED      words[1] == 0xff04u
    p[27] = 1;                                                                  //@ PROVED bounds
    if (__VERIFIER_nondet_int()) p[28] = 1;                                     //@ RESIDUAL! bounds

    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k <= 24) {
        for (int i = 0; i < 8; i++) words[i] = i + 1;
        unsigned int mixed = *(unsigned int *)((char *)words + k);              //@ PROVED bounds
        //@ RESIDUAL!   mixed <= 8   it may lie across two words
    }

    struct packet q = {7, 3, 0};
    unsigned char sum = 0, *bytes = (unsigned char *)&q;
    for (size_t i = 0; i < sizeof q; i++) sum ^= bytes[i];                      //@ PROVED bounds
    bytes[offsetof(struct packet, size)] = 9;                                   //@ PROVED bounds
    //@ PROVED      q.size == 9 && q.kind == 7
    unsigned int *crc = (unsigned int *)(bytes + offsetof(struct packet, crc));
    *crc = 77;                                                                  //@ PROVED bounds
    //@ PROVED      q.crc == 77
    unsigned long *wide = (unsigned long *)(words + 6);
    *wide = 5;                                                                  //@ PROVED bounds
    //@ PROVED      words[6] == 5 && words[7] == 0
    wide = (unsigned long *)(words + 7);
    if (__VERIFIER_nondet_int()) *wide = 5;                                     //@ RESIDUAL! bounds
    return sum == 0;
}
