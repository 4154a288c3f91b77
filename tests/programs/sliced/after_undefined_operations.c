// smalti: --stages slice
// smalti: --stages slice --checks bounds
// smalti: --stages domains --checks assertion,bounds --stack smash/octagon
// smalti: --stages domains --checks assertion,bounds --stack relation/partition/octagon
// Every run divides by zero first. The slices for the other operations do not divide.
int counter, b[10];

int main(void) {
    int n = __VERIFIER_nondet_int();
    int zero = 0;
    counter = 1 / zero;
    int k = n & 7;
    b[k] = 3;                         //@ RESIDUAL bounds
    while (b[k] < 5 + (n & 1)) {      //@ RESIDUAL bounds
        b[k]++;                       //@ RESIDUAL bounds
    }
    return b[k];                      //@ RESIDUAL bounds
}
