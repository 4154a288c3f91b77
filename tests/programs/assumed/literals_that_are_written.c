// smalti: --checks assertion,bounds
// The report assumes that no run does this: a run that does decides nothing.
#include <assert.h>

int main(void) {
    char own[] = "abc";
    own[0] = 'x';
    assert(own[0] == 'a');             //@ VIOLATED   an array of its own
    return 0;
}
