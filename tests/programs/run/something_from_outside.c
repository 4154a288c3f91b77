// smalti: --stages run
// What is never written holds any value, and unknown code may do anything: there are other runs.
#include <assert.h>
#include <stdlib.h>

extern void unknown(void);
int counter;

int main(void) {
    int x;
    if (counter == 0) {
        assert(x != 3);               //@ RESIDUAL!  it may be 3
    }
    int *block = malloc(4 * sizeof *block);
    assert(block[1] != 4);            //@ RESIDUAL!  it may be 4
    unknown();
    assert(counter == 0);             //@ RESIDUAL!  `unknown` may have changed it
    return 0;
}
