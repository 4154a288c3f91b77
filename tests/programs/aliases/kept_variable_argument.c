// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// Unknown code stores a variable argument, and writes to its target in a later call.
#include <stdarg.h>
extern void keep(int *), poke(void);

static void pass_on(int count, ...) {
    va_list list;
    va_start(list, count);
    keep(va_arg(list, int *));
    va_end(list);
}

int main(void) {
    int x;
    pass_on(1, &x);
    x = 0;
    poke();
    //@ RESIDUAL!   x == 0
    return 0;
}
