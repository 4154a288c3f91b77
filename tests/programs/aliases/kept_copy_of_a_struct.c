// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// Unknown code keeps an address that was copied as bytes, and writes there when it is called again.
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
