// smalti: --checks assertion,bounds
// The report assumes that they are not used: a run that uses one decides nothing.
#include <assert.h>

int global;

static int *local_of(int x) {
    int y = x;
    int *p = &y;
    return p;
}

int main(void) {
    int *p = &global;
    for (int i = 0; i < 2; i++) {
        int x = i;
        if (i == 0) {
            p = &x;
        }
        assert(i == 0 || x == 1);      //@ PROVED   by its name
    }
    assert(*p == 5);                   //@ RESIDUAL   its block has ended
    int *q = local_of(3);
    assert(*q == 5);                   //@ RESIDUAL   its function has returned
    return 0;
}
