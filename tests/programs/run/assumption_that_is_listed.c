// smalti: --stages run --checks assertion
// That memory is always there is taken for granted: no proof rests on there being no run.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int n = 3;
    char *block = malloc(1ul << 63);
    assert(n == 3);                   //@ RESIDUAL
    assert(n == 4 && block);          //@ RESIDUAL!
    return 0;
}
