// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// Unknown code stores an address that was copied as bytes, and writes there in a later call.
#include <string.h>
extern void keep(int *), poke(void);
struct box { int *pointer; };

int main(void) {
    int x;
    struct box from = {&x}, to;
    memcpy(&to, &from, sizeof to);
    keep(to.pointer);
    x = 0;
    poke();
    //@ RESIDUAL!   x == 0
    return 0;
}
