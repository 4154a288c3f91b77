// Reads a size as WIDTHxHEIGHT and computes its area.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char line[40];
    int width = 0, height = 0;
    if (!fgets(line, sizeof line, stdin)) return 1;
    if (sscanf(line, "%dx%d", &width, &height) < 2) return 1;
#ifdef BROKEN
    if (width < 1 || height < 1) return 2;
#else
    if (width < 1 || width > 1024 || height < 1 || height > 1024) return 2;
#endif
    int area = width * height; // fails: overflow
    unsigned char *pixels = malloc((size_t)area);
    if (!pixels) return 3;
    pixels[0] = 0;
    pixels[area - 1] = 255;
    free(pixels);
    return 0;
}
