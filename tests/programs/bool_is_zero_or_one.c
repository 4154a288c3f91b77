// smalti: --stack smash/box
// Conversion to _Bool asks whether the value is not 0.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    _Bool b = x;
    //@ PROVED      b == 0 || b == 1
    //@ VIOLATED    b == x
    b = 256;
    //@ PROVED      b == 1
    return 0;
}
