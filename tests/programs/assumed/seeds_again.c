// smalti: --checks assertion,bounds
// The report assumes that the numbers do not depend on the seed. C says that equal seeds give equal
// numbers.
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
