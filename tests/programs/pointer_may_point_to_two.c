// smalti: --stack smash/box
// A pointer may have two targets: a write through it may change either.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 1, y = 2;
    int *p = __VERIFIER_nondet_int() ? &x : &y;
    *p = 5;
    //@ VIOLATED    x == 1
    //@ VIOLATED    y == 2
    //@ PROVED      x == 5 || y == 5
    //@ PROVED      x == 1 || y == 2
    return 0;
}
