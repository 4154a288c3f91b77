// smalti: --stages domains --checks assertion
// smalti: --stages slice,domains --checks assertion
// smalti: --stages domains --checks assertion,overflow
// Every run divides by zero in the first iteration. The annotation does not show that no run leaves
// the loop, even if divisions are not checked.
int counter, a[10];

int main(void) {
    int n = __VERIFIER_nondet_int();
    int zero = 0;
    /*@ loop invariant i == 0; */
    for (int i = 0; i < 100; i++) {
        counter = 1 / zero;
        counter = n % 10;
        a[counter < 0 ? 0 : counter] = counter;
    }
    a[3] = 7;
    int last = 7;
    __VERIFIER_assert(last == 7);     //@ RESIDUAL
    return 0;
}
