// smalti: --stack smash/octagon
// A conditional pointer may be followed only if both branches may.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 1;
    int *p = __VERIFIER_nondet_int() ? &x : 0;
    int *first = __VERIFIER_nondet_int() ? p : &x;
    int *second = __VERIFIER_nondet_int() ? &x : p;
    //@ VIOLATED    first != 0
    //@ VIOLATED    second != 0
    if (p != 0) {
        int *both = __VERIFIER_nondet_int() ? p : &x;
        //@ PROVED      both != 0
        *both = 2;
    }
    //@ VIOLATED    x == 1
    return 0;
}
