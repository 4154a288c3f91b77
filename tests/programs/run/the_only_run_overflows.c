// smalti: --stages run
// The only run overflows. It is followed further, with results that wrap around.
#include <assert.h>
#include <limits.h>

int main(void) {
    int a[8], sum = INT_MAX - 3, late = 0;
    for (int i = 0; i < 8; i++) {
        a[i] = i;                     //@ PROVED bounds   before the overflow and after it
        sum = sum + a[i];             //@ VIOLATED overflow
        if (sum < 0) {
            late = late + 1;          //@ PROVED overflow   only after the overflow
        }
    }
    assert(sum < 0);                  //@ PROVED   no run fails here, and one that wraps around passes
    int large = -sum;
    late = large * 4;                 //@ RESIDUAL! overflow   that wraps around too
    if (late == 0) {
        assert(late != 0);            //@ UNREACHABLE
    }
    return 0;
}
