// smalti: --stages domains
// smalti: --stages domains --stack smash/octagon,partition/octagon
// The second stack sees the part of the program that counts for what the first one leaves open.
// What is undefined in the other part still speaks against a proof.
int a[10], other[20], noise;

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 20; i++) {
        other[i] = n;
        noise = other[i] / 2 + noise % 7;
    }
    for (int i = 0; i < 20; i++) {
        if (other[i] > noise) {
            noise = noise / 2;
        }
    }
    for (int i = 0; i < 10; i++) {
        a[i] = 0;
    }
    a[5] = 1;
    __VERIFIER_assert(a[5] == 1);     //@ PROVED  by groups of cells, not by one summary
    int zero = 0;
    noise = 1 / zero;
    a[6] = 2;
    __VERIFIER_assert(a[6] == 2);     //@ RESIDUAL!  every run divides by zero first
    return 0;
}
