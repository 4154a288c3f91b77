// smalti: --checks bounds --stages domains
// The size of a copy is checked, whatever the type of the pointers.
#include <string.h>

int main(void) {
    int a[4], b[10];
    for (int i = 0; i < 10; i++) {
        b[i] = i;
    }
    void *to = a, *from = b;
    memcpy(to, from, sizeof a);        //@ PROVED bounds   as much as there is
    memset(from, 1, sizeof b);         //@ PROVED bounds   as much as there is
    return 0;
}
