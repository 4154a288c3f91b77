// smalti: --stages run
// The run continues after its overflow and fails once more: nothing else is concluded.
#include <assert.h>
#include <limits.h>

int main(void) {
    int a[4], n = INT_MAX;
    for (int i = 0; i < 4; i++) {
        a[i] = i;                     //@ RESIDUAL bounds
    }
    n = n + 1;                        //@ VIOLATED overflow
    assert(a[3] == 3);                //@ RESIDUAL!  no run reaches this point
    a[n < 0 ? 4 : 0] = 1;             //@ RESIDUAL! bounds   fails only where the run goes on
    return 0;
}
