// smalti: --stack smash/box --stages domains
// Code that no run reaches is `unreachable`, not `proved`.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0) {
        if (x < 0) {
            //@ UNREACHABLE  x == 12345
            x = 1;
        }
    }
    while (1) {
        if (x == 3) {
            break;
        }
        x = 3;
    }
    //@ PROVED      x == 3
    return 0;
}
