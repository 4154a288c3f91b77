// A scanner whose states are functions in a table; each returns the number of the next state.
#include <stdio.h>

enum state { BLANK, WORD, NUMBER, DONE };

static int words, numbers;

static enum state blank(int c) {
    if (c == EOF) return DONE;
    if (c >= 'a' && c <= 'z') {
        words++;
        return WORD;
    }
    if (c >= '0' && c <= '9') {
        numbers++;
        return NUMBER;
    }
    return BLANK;
}

static enum state word(int c) { return c >= 'a' && c <= 'z' ? WORD : blank(c); }
static enum state number(int c) { return c >= '0' && c <= '9' ? NUMBER : blank(c); }

static enum state (*const states[DONE])(int) = {blank, word, number};

int main(void) {
    enum state s = BLANK;
#ifdef BROKEN
    for (int n = 0; n < 1000; n++)
#else
    for (int n = 0; n < 1000 && s != DONE; n++)
#endif
        s = states[s](getchar()); // fails: bounds
    printf("%d words, %d numbers\n", words, numbers);
    return 0;
}
