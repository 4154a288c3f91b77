// smalti: --stack smash/box
// A jump forward over code, and one into a block.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0;
    if (__VERIFIER_nondet_int()) {
        goto inside;
    }
    x = 1;
    if (x == 2) {
inside:
        x += 10;
    }
    //@ PROVED      x == 1 || x == 10
    //@ VIOLATED    x == 1
    return 0;
}
