// Writes to all variables that a table points to.
// by pointer: p is at i
#include <assert.h>
#define N 3
int x, y, z = 4;
int *table[N] = {&x, &y, &z};

int main(void) {
#ifdef WALK
    for (int **p = table; p < table + N; p++) **p = 3;
#else
    for (int i = 0; i < N; i++) *table[i] = 3;
#endif
    assert(0 <= x && x <= 3);
    assert(x == 3 && y == 3 && z == 3);
    for (int k = 0; k < N; k++) assert(table[k] != 0);
    return 0;
}
