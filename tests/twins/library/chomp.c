// Reads lines and removes the newline at their ends.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[80];
    unsigned longest = 0;
    while (fgets(line, sizeof line, stdin)) {
#ifdef BROKEN
        size_t end = strlen(line) - 1;
        if (line[end] == '\n') line[end] = '\0'; // fails: bounds
#else
        line[strcspn(line, "\n")] = '\0';
#endif
        if (strlen(line) > longest) longest = (unsigned)strlen(line);
    }
    printf("%u\n", longest);
    return 0;
}
