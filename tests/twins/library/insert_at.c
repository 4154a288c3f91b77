// Inserts numbers into a sorted table by moving the tail up.
#include <string.h>
#define MOST 10
extern int __VERIFIER_nondet_int(void);

static int table[MOST];
static int used;

static int insert(int value) {
    int i = 0;
#ifdef BROKEN
    if (used > MOST - 1 && value < 0) return -1;
#else
    if (used > MOST - 1) return -1;
#endif
    while (i < used && table[i] < value) i++;
    memmove(&table[i + 1], &table[i], (size_t)(used - i) * sizeof table[0]); // fails: bounds
    table[i] = value; // fails: bounds
    used++;
    return i;
}

int main(void) {
    for (int n = 0; n < 11; n++) {
        int value = __VERIFIER_nondet_int();
        if (value < -1000 || value > 1000) continue;
        if (insert(value) < 0) return 1;
    }
    return used == MOST;
}
