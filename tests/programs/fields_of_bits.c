// smalti: --stack smash/box
// A bit-field holds what fits into it.
extern int __VERIFIER_nondet_int(void);
struct packed {
    unsigned low : 3;
    int high : 4;
};

int main(void) {
    struct packed p;
    p.low = 9;
    p.high = -3;
    //@ PROVED      p.low == 1
    //@ VIOLATED    p.low == 9
    //@ PROVED      p.high == -3
    p.low = __VERIFIER_nondet_int();
    //@ PROVED      p.low <= 7
    //@ VIOLATED    p.low <= 6
    int sum = p.low + 5;
    p.low = sum;
    //@ VIOLATED    p.low >= 5
    return 0;
}
