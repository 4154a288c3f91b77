// smalti: --stack smash/box --stages domains
// Each call is analysed separately.
static int clamp(int x, int low, int high) {
    if (x < low) {
        return low;
    }
    if (x > high) {
        return high;
    }
    return x;
}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = clamp(__VERIFIER_nondet_int(), 0, 9);
    int b = clamp(__VERIFIER_nondet_int(), 100, 200);
    //@ PROVED      a >= 0 && a <= 9
    //@ PROVED      b >= 100 && b <= 200
    //@ PROVED      a < b
    //@ RESIDUAL!   a >= 1
    return 0;
}
