// smalti: --stack smash/octagon
// The result of an operation may lie on either side of its operands.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i, k;
    for (i = 0; i < 6; i++) {
        for (k = 0; k < 4; k++) {
            int product = i * k;
            //@ VIOLATED    product >= i     k may be 0
            //@ VIOLATED    product >= k     i may be 0
            //@ PROVED      product >= 0
        }
    }
    int x = __VERIFIER_nondet_int();
    if (x < 5 || x > 7)
        return 0;
    int third = x / 3;
    //@ PROVED      third >= 1
    //@ VIOLATED    third >= 2
    int y = __VERIFIER_nondet_int();
    if (y < -4 || y > -2)
        return 0;
    int rest = x % y;
    //@ VIOLATED    rest < y     the rest has the sign of x
    //@ PROVED      rest >= 0
    int complement = ~x;
    //@ PROVED      complement == -x - 1
    //@ VIOLATED    complement == -x
    return 0;
}
