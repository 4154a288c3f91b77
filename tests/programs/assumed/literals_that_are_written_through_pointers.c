// smalti: --checks assertion,bounds
// The report assumes that no run does this: a run that does decides nothing.
#include <assert.h>

int main(void) {
    char *s = "abc";
    s[0] = 'x';
    assert(s[0] == 'a');               //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
