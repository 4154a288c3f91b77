// smalti: --checks assertion
// C leaves it undefined. They become any value, and the report says so. So proofs hold on
// every machine.
#include <assert.h>

int main(void) {
    double d = 1e30;
    int x = (int)d;
    unsigned char c = d;
    assert(c <= 255);                  //@ PROVED     whatever it is
    assert(x == 2147483647);           //@ RESIDUAL   no run knows it
    return 0;
}
