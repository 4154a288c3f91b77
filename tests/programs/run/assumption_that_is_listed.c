// smalti: --stages run --checks assertion
// The report assumes that allocation succeeds: no proof may rest on the absence of a run.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int n = 3;
    char *block = malloc(1ul << 63);
    assert(n == 3);                   //@ RESIDUAL
    assert(n == 4 && block);          //@ RESIDUAL!
    return 0;
}
