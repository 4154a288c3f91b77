// smalti: --checks assertion,bounds
// That the numbers do not depend on the seed is assumed, and listed. C says that equal seeds give equal numbers.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    int a = rand();
    assert(a >= 0);                    //@ PROVED   any number
    assert(a == 7);                    //@ VIOLATED   any number
    return 0;
}
