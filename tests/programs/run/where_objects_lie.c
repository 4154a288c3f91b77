// smalti: --stages run
// A program cannot determine where objects lie: one may begin where another one ends.
#include <assert.h>

int a[4], b[4];

int main(void) {
    assert(a + 4 != b);               //@ RESIDUAL!  they may be the same address
    return 0;
}
