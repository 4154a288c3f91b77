// smalti: --stages domains
// smalti: --stages slice
// smalti: --stages shrink
// smalti: --stages refine
// smalti: --stages unwind
// Every run breaks an assumption: nothing is proved.
#include <assert.h>

int main(void) {
    char *s = "abc";
    s[0] = 'x';
    assert(s[0] == 'x');               //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
