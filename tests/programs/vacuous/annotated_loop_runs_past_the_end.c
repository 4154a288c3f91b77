// smalti: --stages domains
// smalti: --stages domains --stack smash/octagon
// smalti: --checks assertion,bounds --stages domains
// Every run leaves the array in its last iteration. The annotation holds at the head of the loop
// only because of that, so it does not show that no run leaves the loop.
#include <assert.h>

int main(void) {
    int a[10];
    int sum = 0;
    /*@ loop invariant 0 <= i <= 10; */
    for (int i = 0; i <= 10; i++) {
        a[i] = 1;
        sum++;
        assert(sum <= 11);
    }
    assert(a[3] == 1);                //@ RESIDUAL  no run reaches this point
    return 0;
}
