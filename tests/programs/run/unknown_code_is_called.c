// smalti: --stages run
// The program reads nothing that unknown code has written, but that code may end the program.
#include <assert.h>

extern void unknown(void);

int main(void) {
    int x = 3;
    unknown();
    assert(x == 3);                   //@ RESIDUAL  whether a run comes here is not known
    return 0;
}
