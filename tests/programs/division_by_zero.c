// smalti: --stack smash/box --checks division
// A divisor that may be 0, and one that may not.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int d = __VERIFIER_nondet_int();
    int r = 0;
    if (d > 0) {
        r = 100 / d;                  //@ PROVED division
    }
    r += 100 % d;                     //@ VIOLATED division
    return r;
}
