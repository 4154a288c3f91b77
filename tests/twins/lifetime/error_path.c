// Copies a block through a buffer; on an error the buffer is released at once.
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

static int transfer(const char *from, char *to, size_t length) {
    char *buffer = malloc(length);
    int status = 0;
    if (!buffer) return -1;
    memcpy(buffer, from, length);
    if (buffer[0] == '#') {
        free(buffer);
        status = -2;
#ifndef BROKEN
        buffer = NULL;
#endif
    } else {
        memcpy(to, buffer, length);
    }
    free(buffer); // fails: lifetime
    return status;
}

int main(void) {
    char from[64], to[64] = "";
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 64) return 1;
    for (int i = 0; i < length; i++) from[i] = (char)__VERIFIER_nondet_int();
    if (length > 2 && __VERIFIER_nondet_int()) from[0] = '#';
    return transfer(from, to, (size_t)length) != 0;
}
