// Joins a folder and a file name in a buffer of limited size.
#include <stdio.h>
#include <string.h>
#define SIZE 16

int main(int argc, char **argv) {
    char path[SIZE];
    if (argc < 2 || strlen(argv[1]) > 100) return 1;
    int length = snprintf(path, sizeof path, "/srv/%s", argv[1]);
#ifdef BROKEN
    if (length < 0) return 2;
#else
    if (length < 0 || length >= SIZE) return 2;
#endif
    while (length > 1 && path[length - 1] == '/') { // fails: bounds
        length--;
        path[length] = '\0';
    }
    puts(path);
    return 0;
}
