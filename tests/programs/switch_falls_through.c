// smalti: --stack smash/box
// Cases fall through, default may stand anywhere.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int r = 0;
    switch (x) {
    case 1:
        r = r + 1;
    case 2:
        r = r + 2;
        break;
    default:
        r = 100;
        break;
    case 7:
        r = 7;
    }
    //@ PROVED      r == 3 || r == 2 || r == 100 || r == 7
    //@ PROVED      x != 1 || r == 3
    //@ PROVED      x != 2 || r == 2
    //@ VIOLATED    r != 7
    return 0;
}
