// smalti: --stack smash/octagon --stages domains
// smalti: --stages slice
// smalti: --stages unwind,refine,shrink,prune
// A pointer that moves by bytes gets from one member to another.
#include <stddef.h>
struct record { int key; int value; };

static int *value_of(int *key) {
    return (int *)((char *)key - offsetof(struct record, key) + offsetof(struct record, value));
}

int main(void) {
    struct record record = {1, 0};
    *value_of(&record.key) = 5;
    //@ RESIDUAL!   record.value == 0
    return 0;
}
