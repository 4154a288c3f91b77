// smalti: --stages run --checks assertion,bounds
// The only run fails; what comes after the failure is not considered.
#include <assert.h>

int main(void) {
    int a[4];
    for (int i = 0; i <= 4; i++) {
        a[i] = i;                     //@ VIOLATED bounds   the fifth iteration
    }
    assert(a[1] == 1);                //@ RESIDUAL!  no run reaches this point
    assert(a[1] == 2);                //@ RESIDUAL!  no run reaches this point
    return 0;
}
