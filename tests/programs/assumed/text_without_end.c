// smalti: --checks assertion,bounds
// The report assumes that strings end inside their objects.
#include <assert.h>
#include <stdio.h>

int main(void) {
    char good[4] = "abc", bad[3] = {'a', 'b', 'c'};
    printf("%s", good);
    int x = 1;
    assert(x == 1);                    //@ PROVED   before the end
    printf("%s", bad);
    assert(x == 2);                    //@ RESIDUAL   no run reaches this point that counts
    return 0;
}
