// smalti: --checks assertion,bounds
// That the numbers do not depend on the seed is assumed, and listed. C says that equal seeds give equal numbers.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    int a = rand();
    srand(1);
    int b = rand();
    assert(a == b);                    //@ RESIDUAL   runs in which they differ do not count
    return 0;
}
