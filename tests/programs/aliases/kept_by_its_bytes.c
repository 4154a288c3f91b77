// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// Unknown code keeps an address that it was given as bytes, and writes there when it is called again.
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
