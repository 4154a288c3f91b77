// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// `va_arg` may return any pointer whose target is known somewhere.
#include <stdarg.h>
static void set(int count, ...) {
    va_list list;
    va_start(list, count);
    int *target = va_arg(list, int *);
    *target = 7;
    va_end(list);
}

int main(void) {
    int x = 1, hidden = 1;
    set(1, &x);
    //@ RESIDUAL!   x == 1
    //@ RESIDUAL!   x == 7 && hidden == 2
    return 0;
}
