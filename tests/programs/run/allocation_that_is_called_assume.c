// smalti: --stages run --checks assertion
// The function at the allocation only has the name of an assumption: that it succeeds is an
// assumption of the report.
#include <assert.h>
#include <stdlib.h>

#define assume_room(bytes) malloc(bytes)

int main(void) {
    char *block = assume_room((size_t)-1);
    assert(block == NULL);            //@ RESIDUAL!  no system has so much memory
    return 0;
}
