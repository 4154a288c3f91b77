// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind
// smalti: --stages refine,shrink,prune
// A pointer to a member that is passed as a variable argument and read as one to a struct.
#include <stdarg.h>
struct point { int x, y; };

static void set(int count, ...) {
    va_list list;
    va_start(list, count);
    struct point *point = va_arg(list, struct point *);
    point->x = 5;
    va_end(list);
}

int main(void) {
    struct point points[2] = {{0}};
    set(1, &points[0].y);
    //@ RESIDUAL!   points[0].y == 0
    return 0;
}
