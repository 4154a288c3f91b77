// smalti: --stages run,domains --stack values --checks bounds,assertion
// The block is too small for what is written from it.
#include <stdio.h>

int main(void) {
    short block[8] = {0};
    unsigned long n = fwrite(block, 4, 5, stdout);
    //@ RESIDUAL    n == 5      no run reaches this point that counts
    return 0;
}
