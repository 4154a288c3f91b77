// smalti: --stack smash/box
// A run that leaves the array before it reaches the assertion is no failure of the assertion.
#include <assert.h>

int main(void) {
    int a[2];
    int i = 5;
    a[i] = 1;
    assert(i == 6);                   //@ RESIDUAL   every run breaks an assumption first
    return 0;
}
