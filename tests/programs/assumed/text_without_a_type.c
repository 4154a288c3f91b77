// smalti: --checks assertion,bounds
// The report assumes that the library reads only inside the objects that it is given.
#include <assert.h>
#include <stdio.h>

int main(void) {
    char u[3] = {'a', 'b', 'c'};
    void *v = u;
    puts(v);
    assert(u[0] == 'b');               //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
