// smalti: --stages run
// smalti: --stages domains,bounded,unwind
// A new block may lie where a freed block lay (C11 6.2.4p2).
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(4), *q;
    free(p);
    q = malloc(4);
    assert(p != q);                   //@ RESIDUAL!  they may be the same address
    return 0;
}
