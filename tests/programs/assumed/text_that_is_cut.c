// smalti: --stages bounded
// An array of characters that is printed need not be a string.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char u[3] = {'a', 'b', 'c'};
    printf("%.3s %p", u, (void *)u);
    memcmp(u, u, 3);
    assert(u[0] != 'a');               //@ VIOLATED   nothing was read beyond the end
    return 0;
}
