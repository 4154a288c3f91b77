// Adds arrays of bytes; a sum that is too large becomes 255.
// twin: s > 255 => s > 256
// twin: ? 255 => ? 254
/*@ requires n <= 100000;
    requires \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. n-1)) && \valid(c + (0 .. n-1));
    requires \separated(a + (0 .. n-1), c + (0 .. n-1));
    requires \separated(b + (0 .. n-1), c + (0 .. n-1));
    assigns c[0 .. n-1];
    ensures \forall integer k; 0 <= k < n ==> c[k] == \min(255, a[k] + b[k]); */
void sat_add(const unsigned char *a, const unsigned char *b, unsigned char *c, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        unsigned s = a[i] + b[i];
        c[i] = (unsigned char)(s > 255 ? 255 : s);
    }
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (unsigned n = 0; n <= 3; n++)
        for (unsigned x = 0; x < 256; x += 5)
            for (unsigned y = 0; y < 256; y++) {
                unsigned char *a = malloc(n), *b = malloc(n), *c = malloc(n);
                for (unsigned k = 0; k < n; k++) a[k] = x, b[k] = (y + k) % 256;
                sat_add(a, b, c, n);
                for (unsigned k = 0; k < n; k++)
                    assert(c[k] == (a[k] + b[k] > 255 ? 255 : a[k] + b[k]));
                free(a);
                free(b);
                free(c);
            }
    return 0;
}
#endif
