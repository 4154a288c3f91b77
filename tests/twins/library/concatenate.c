// Joins a prefix and an argument of the program in a new text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *concatenate(const char *a, const char *b) {
#ifdef BROKEN
    char *result = malloc(strlen(a) + strlen(b));
#else
    char *result = malloc(strlen(a) + strlen(b) + 1);
#endif
    if (!result) return NULL;
    strcpy(result, a);
    strcat(result, b); // fails: bounds
    return result;
}

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    char *text = concatenate("tessera-", argv[1]);
    if (!text) return 2;
    puts(text);
    free(text);
    return 0;
}
