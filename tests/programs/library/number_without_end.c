// smalti: --stages run,domains --stack values --checks bounds,assertion
// A number is read up to the first character that is not part of it.
#include <stdlib.h>

int main(void) {
    char digits[3] = {'1', '2', '3'};
    int n = atoi(digits);
    //@ RESIDUAL    n != 0      no run reaches this point that counts
    return 0;
}
