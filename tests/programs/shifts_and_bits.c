// smalti: --stack smash/box
// Bit operations on values that are known, and on one that is not.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = 0xF0;
    //@ PROVED      (x >> 4) == 0xF
    //@ PROVED      (x | 0x0F) == 0xFF
    //@ PROVED      (x ^ x) == 0
    //@ PROVED      (1u << 31) == 2147483648u
    //@ PROVED      ~0 == -1
    unsigned y = __VERIFIER_nondet_uint() & 7u;
    //@ PROVED      y <= 7
    //@ VIOLATED    y <= 6
    return 0;
}
