// smalti: --checks assertion,bounds
// That the library reads only inside of what it is given is assumed, and listed.
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
