// smalti: --stack smash/box --checks bounds
// The right side of && is evaluated only where the left side holds.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    static int a[8];
    int i = __VERIFIER_nondet_int();
    int r = 0;
    if (i >= 0 && i < 8 && a[i] == 0) {   //@ PROVED bounds
        r = 1;
    }
    if (i >= 0 && a[i] == 1) {            //@ VIOLATED bounds
        r = 2;
    }
    return r;
}
