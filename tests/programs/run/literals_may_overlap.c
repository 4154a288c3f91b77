// smalti: --stages run
// Two literals may be one object, or one may be the end of the other.
#include <assert.h>

int main(void) {
    const char *p = "tail", *q = "a tail";
    assert(p != q + 2);               //@ RESIDUAL!  a compiler may keep one of them
    return 0;
}
