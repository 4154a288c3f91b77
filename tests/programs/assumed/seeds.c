// smalti: --checks assertion,bounds
// The report assumes that the numbers do not depend on the seed. C says that equal seeds give equal
// numbers.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    int a = rand();
    assert(a >= 0);                    //@ PROVED   any number
    assert(a == 7);                    //@ VIOLATED   any number
    return 0;
}
