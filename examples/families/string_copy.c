// A string is copied between two buffers of N characters. Its end is the last character of its buffer: that one cell is why the copy
// stays inside. Broken (-DBROKEN): nobody writes the end.
#include <assert.h>

#ifndef N
#define N 1000
#endif

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char source[N];
    char target[N];
    int i;
    for (i = 0; i < N; i++) {
        source[i] = __VERIFIER_nondet_char();
    }
#ifndef BROKEN
    source[N - 1] = '\0';
#endif
    i = 0;
    while (i < N && source[i] != '\0') {
        target[i] = source[i];
        i++;
    }
    assert(i < N);
    target[i] = '\0';
    return 0;
}
