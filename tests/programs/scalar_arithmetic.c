// smalti: --stack smash/box --stages domains
// Constants fold, intervals follow assignments and tests.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 5;
    int y = x * 3 - 1;
    //@ PROVED      y == 14
    //@ RESIDUAL!   y == 15   a wrong claim stays open or is violated
    int z = __VERIFIER_nondet_int();
    if (z > 10 && z < 20) {
        //@ PROVED      z >= 11 && z <= 19
        //@ RESIDUAL!   z >= 12
        y = z;
    }
    //@ PROVED      y >= 11 && y <= 19
    //@ RESIDUAL!   y == 14
    return 0;
}
