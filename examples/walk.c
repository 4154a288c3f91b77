// Walks over an array with a pointer; the pointer never leaves it.
#include <assert.h>

int main(void) {
    int a[32];
    int *end = a + 32;
    int steps = 0;
    for (int *p = a; p < end; p++) {
        *p = steps;
        steps++;
    }
    assert(steps == 32);
    assert(0 <= a[5] && a[5] < 32);
    return 0;
}
