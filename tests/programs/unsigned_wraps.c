// smalti: --stack smash/box
// Unsigned arithmetic is modulo 2^32; it never overflows.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = 0;
    x = x - 1;
    //@ PROVED      x == 4294967295u
    x = x + 2;
    //@ PROVED      x == 1u
    unsigned y = __VERIFIER_nondet_uint();
    //@ VIOLATED    y + 1 > y   the greatest value wraps to 0
    //@ PROVED      y + 0 == y
    return 0;
}
