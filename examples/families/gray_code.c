// The first N steps of a Gray code with digits 0, 1, 2: neighbours differ in one digit, by one. The arrays have room for 7 digits.
// Broken (-DBROKEN): a digit that has come to its end starts again instead of turning back.
#include <assert.h>

#ifndef N
#define N 25
#endif
#define DIGITS 7

int main(void) {
    int code[DIGITS];
    int before[DIGITS];
    int direction[DIGITS];
    int base[DIGITS];
    int i, step, digit, difference;
    for (i = 0; i < DIGITS; i++) {
        code[i] = 0;
        direction[i] = 1;
        base[i] = 3;
    }
    for (step = 0; step < N; step++) {
        for (i = 0; i < DIGITS; i++) {
            before[i] = code[i];
        }
        i = 0;
        digit = code[0] + direction[0];
        while (digit >= base[i] || digit < 0) {
#ifdef BROKEN
            code[i] = 0;
#else
            direction[i] = -direction[i];
#endif
            i++;
            digit = code[i] + direction[i];
        }
        code[i] = digit;
        difference = 0;
        for (i = 0; i < DIGITS; i++) {
            difference += code[i] < before[i] ? before[i] - code[i] : code[i] - before[i];
        }
        assert(difference == 1);
    }
    return 0;
}
