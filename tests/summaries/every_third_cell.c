// A stride.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[300];
    for (int i = 0; i < 300; i++) a[i] = 0;
    for (int i = 0; i < 300; i += 3) a[i] = i;
    assert(a[3] == 3 && a[4] == 0);
    return 0;
}
