// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice,unwind
// A pointer that is copied from bytes points where the bytes say.
#include <string.h>
int main(void) {
    int x = 1, y = 2;
    int *p = &x, *q = &y;
    unsigned char bytes[sizeof q];
    memcpy(bytes, &q, sizeof q);
    memcpy(&p, bytes, sizeof p);
    *p = 5;
    //@ RESIDUAL!   x == 5
    //@ RESIDUAL!   y == 2
    return 0;
}
