// smalti: --stages run --checks assertion
// The word at the allocation is no assumption of the source: that it succeeds is one of the report.
#include <assert.h>
#include <stdlib.h>

#define assume_room(bytes) malloc(bytes)

int main(void) {
    char *block = assume_room((size_t)-1);
    assert(block == NULL);            //@ RESIDUAL!  no system has so much memory
    return 0;
}
