// smalti: --stages run,domains --stack values --checks bounds,assertion
// `memcmp` may read both blocks as a whole, also if they differ early. `memchr` stops early.
#include <string.h>

int main(void) {
    char a[4] = "abc", b[4] = "xyz";
    //@ PROVED      memchr(a, 'b', 9) == a + 1
    int difference = memcmp(a, b, 5);
    //@ RESIDUAL    difference < 0
    return 0;
}
