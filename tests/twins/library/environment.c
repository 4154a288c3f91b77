// Reads a limit from the environment, with a default.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int slots[32] = {0};
    const char *limit = getenv("SLOTS");
    int n = limit ? atoi(limit) : 32;
    if (n > 32) n = 32;
#ifdef BROKEN
    if (n == 0) return 1;
#else
    if (n <= 0) return 1;
#endif
    slots[n - 1] = 1; // fails: bounds
    for (int i = 0; i < 32; i++) putchar(slots[i] ? '#' : '.');
    putchar('\n');
    return 0;
}
