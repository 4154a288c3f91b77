// smalti: --stack smash/box
// Side effects on the right of && and || happen only sometimes.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = 0;
    int c = __VERIFIER_nondet_int();
    if (c && n++) {
        n = 100;
    }
    //@ PROVED      n == (c != 0)
    //@ VIOLATED    n == 1
    int m = 5;
    int r = (c || (m = 6)) ? m : 0;
    //@ PROVED      c ? r == 5 : r == 6
    return r;
}
