// Computes the number of pages from two numbers on the command line.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int number(const char *text, int *value) {
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0) return -1;
#ifdef BROKEN
    if (n < 0 || n > INT_MAX) return -1;
#else
    if (n < 1 || n > INT_MAX) return -1;
#endif
    *value = (int)n;
    return 0;
}

int main(int argc, char **argv) {
    int lines, per_page;
    if (argc != 3) {
        fprintf(stderr, "usage: pages LINES LINES_PER_PAGE\n");
        return 2;
    }
    if (number(argv[1], &lines) != 0 || number(argv[2], &per_page) != 0) return 1;
    int pages = lines / per_page; // fails: division
    if (lines % per_page != 0) pages++;
    printf("%d\n", pages);
    return 0;
}
