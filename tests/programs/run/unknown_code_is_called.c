// smalti: --stages run
// Nothing that unknown code leaves is read, but it may have ended the program.
#include <assert.h>

extern void unknown(void);

int main(void) {
    int x = 3;
    unknown();
    assert(x == 3);                   //@ RESIDUAL  whether a run comes here is not known
    return 0;
}
