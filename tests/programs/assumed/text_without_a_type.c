// smalti: --checks assertion,bounds
// That the library reads only inside of what it is given is assumed, and listed.
#include <assert.h>
#include <stdio.h>

int main(void) {
    char u[3] = {'a', 'b', 'c'};
    void *v = u;
    puts(v);
    assert(u[0] == 'b');               //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
