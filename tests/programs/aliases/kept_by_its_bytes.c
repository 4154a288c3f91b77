// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// Unknown code stores an address that it received as bytes, and writes there in a later call.
#include <string.h>
extern void keep(int *), poke(void);
extern void keep_bytes(unsigned char *);

int main(void) {
    int x;
    int *address = &x;
    unsigned char bytes[sizeof address];
    memcpy(bytes, &address, sizeof address);
    keep_bytes(bytes);
    x = 0;
    poke();
    //@ RESIDUAL!   x == 0
    return 0;
}
