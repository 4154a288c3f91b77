// smalti: --stages domains
// smalti: --stages domains --stack smash/octagon
// The annotation holds at the end of the first iteration only because no run gets there.
#include <assert.h>

int counter;

int main(void) {
    int zero = 0;
    /*@ loop invariant i == 0; */
    for (int i = 0; i < 100; i++) {
        counter = 1 / zero;
    }
    int last = 7;
    assert(last == 7);                //@ RESIDUAL  every run divides by zero
    return 0;
}
