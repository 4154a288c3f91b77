// Splits a line at its colons into at most six fields.
#include <stdio.h>
#include <string.h>
#define FIELDS 6

int main(void) {
    char line[64];
    char *fields[FIELDS];
    int n = 0;
    if (!fgets(line, sizeof line, stdin)) return 1;
    for (char *field = strtok(line, ":\n"); field; field = strtok(NULL, ":\n")) {
#ifndef BROKEN
        if (n == FIELDS) break;
#endif
        fields[n++] = field; // fails: bounds
    }
    for (int i = n - 1; i >= 0; i--) printf("%s\n", fields[i]);
    return n == 0;
}
