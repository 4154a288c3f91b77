// smalti: --checks assertion,bounds
// That they are not is assumed, and listed: no run that does shows anything.
#include <assert.h>

int main(void) {
    char own[] = "abc";
    own[0] = 'x';
    assert(own[0] == 'a');             //@ VIOLATED   an array of its own
    return 0;
}
