// smalti: --stages bounded --checks assertion
// A stream may give what the program has pushed back.
#include <stdio.h>

int main(void) {
    int c = getchar();
    //@ RESIDUAL    c != 'a'
    ungetc('x', stdin);
    c = getchar();
    //@ RESIDUAL    c == 'x'
    return 0;
}
