// smalti: --stages run,domains --stack values --checks bounds,assertion
// `strtok` has no text to go on with before its first call.
#include <string.h>

int main(void) {
    char *part = strtok(0, " ");
    //@ RESIDUAL    part == 0      no run reaches this point that counts
    return 0;
}
