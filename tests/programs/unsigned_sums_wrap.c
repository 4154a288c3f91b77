// smalti: --stack relation/partition/octagon
// A relation between two unsigned variables does not survive a sum that may wrap.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = x + 1;
    //@ VIOLATED    y > x   the greatest value wraps to 0
    //@ VIOLATED    y >= 1
    unsigned z = x - 1;
    //@ VIOLATED    z < x   0 wraps to the greatest value
    if (x < 10) {
        //@ PROVED      x + 1 > x
        y = x + 1;
        //@ PROVED      y > x
    }
    return 0;
}
