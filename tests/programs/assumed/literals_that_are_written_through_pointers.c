// smalti: --checks assertion,bounds
// That they are not is assumed, and listed: no run that does shows anything.
#include <assert.h>

int main(void) {
    char *s = "abc";
    s[0] = 'x';
    assert(s[0] == 'a');               //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
