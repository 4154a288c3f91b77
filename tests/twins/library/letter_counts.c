// Counts the letters of a text, upper and lower case together.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int counts['z' - 'a' + 1] = {0};
    int c, n = 0;
    while ((c = getchar()) != EOF && n < 10000) {
        n++;
        if (!isalpha(c)) continue;
#ifndef BROKEN
        c = tolower(c);
#endif
        counts[c - 'a']++; // fails: bounds
    }
    for (int i = 0; i <= 'z' - 'a'; i++)
        if (counts[i]) printf("%c %d\n", 'a' + i, counts[i]);
    return 0;
}
