// A sum over some structs of an array.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct packet { unsigned char kind; int size; } queue[100];
int main(void) {
    int total = 0;
    for (int i = 0; i < 100; i++) {
        queue[i].kind = i % 4;
        queue[i].size = 10 * i;
    }
    for (int i = 0; i < 100; i++)
        if (queue[i].kind == 0) total += queue[i].size;
    assert(total == 12000);
    return 0;
}
