// smalti: --stages run,domains,unwind --stack smash/octagon --checks assertion
/* Operators on bits, casts and sizes mean the numbers that C computes, where C has them. */
struct s { int v; char c; };
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned u = (unsigned)__VERIFIER_nondet_int();
    if (x < -300 || x > 300) return 0;
    int and = x & 6, or = x | 6, xor = x ^ 6, not = ~x, shifted = x >> 2;
    int masked = x & ~6, both = x & 0xF5;
    unsigned char c = (unsigned char)x;
    signed char d = (signed char)x;
    /*@ check and == (x & 6) && or == (x | 6) && xor == (x ^ 6); */        //@ PROVED
    /*@ check and == (x & 7); */                                           //@ VIOLATED
    /*@ check or == (x | 7); */                                            //@ VIOLATED
    /*@ check xor == (x ^ 7); */                                           //@ VIOLATED
    /*@ check not == ~x && masked == (x & ~6) && both == (x & 0xF5); */    //@ PROVED
    /*@ check not == ~x + 1; */                                            //@ VIOLATED
    /*@ check shifted == (x >> 2); */                                      //@ PROVED
    /*@ check shifted == x / 4; */                                         //@ VIOLATED
    /*@ check c == (unsigned char)x && d == (signed char)x; */             //@ PROVED
    /*@ check c == (signed char)x; */                                      //@ VIOLATED
    /*@ check d == (unsigned char)x; */                                    //@ VIOLATED
    /*@ check (x << 40) >> 40 == x; */                                     //@ PROVED
    /*@ check (u & 1) == 0 || (u & 1) == 1; */                             //@ PROVED
    /*@ check (u & 3) != 2; */                                             //@ VIOLATED
    /*@ check (4 | 1) == 5 && (5 ^ 1) == 4 && ~0 == -1 && -7 >> 1 == -4; */ //@ PROVED
    /*@ check (x --> x) == -1 && (x <--> x) == -1; */                      //@ PROVED
    /*@ check sizeof(struct s) == 8 && sizeof(x) == 4 && sizeof(char) == 1 && sizeof(int *) == 8; */ //@ PROVED
    /*@ check sizeof(struct s) == 5; */                                    //@ VIOLATED
    /*@ check x \in (-300 .. 300) && 3 \in {1, 2, 3} && \subset({1, 2}, {1, 2, 3}); */ //@ PROVED
    /*@ check x \in {1, 2, 3}; */                                          //@ VIOLATED
    return 0;
}
