// smalti: --stack smash/box --stages domains
// Floating values are not tracked: what depends on them is open, everything else is still decided.
extern double __VERIFIER_nondet_double(void);

int main(void) {
    int n = 4;
    double d = __VERIFIER_nondet_double();
    int r = 1;
    if (d > 0.5) {
        r = 2;
    }
    int truncated = (int)(d * 0.0);
    //@ PROVED      r >= 1 && r <= 2
    //@ RESIDUAL!   r == 1
    //@ RESIDUAL!   truncated == 1
    //@ PROVED      n == 4
    return 0;
}
