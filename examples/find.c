// Looks for a value; what is returned is an index of the array, or -1.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int find(const int *a, int n, int value) {
    for (int i = 0; i < n; i++) {
        if (a[i] == value) {
            return i;
        }
    }
    return -1;
}

int main(void) {
    int a[50];
    for (int i = 0; i < 50; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    int at = find(a, 50, 17);
    assert(-1 <= at && at < 50);
    if (at >= 0) {
        assert(a[at] == 17);
    }
    return 0;
}
