// smalti: --stack smash/box --checks overflow
// Signed addition must stay in range; unsigned addition always does.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = 0;
    if (x < 1000) {
        y = x + 1;                    //@ PROVED overflow
    }
    y = x + 1;                        //@ VIOLATED overflow
    unsigned u = __VERIFIER_nondet_uint();
    u = u + 1;
    return y;
}
