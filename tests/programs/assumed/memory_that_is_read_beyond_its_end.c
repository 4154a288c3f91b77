// smalti: --checks assertion,bounds
// The report assumes that the library reads only inside the objects that it is given.
#include <assert.h>
#include <string.h>

int global;

int main(void) {
    int a[2] = {1, 2}, b[2] = {1, 2};
    memcmp(a, b, 8);
    assert(global == 0);               //@ PROVED   all of both
    memcmp(a, b, 9);
    assert(global == 1);               //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
