// smalti: --stages run,domains --stack values --checks bounds,assertion
// `qsort` brings elements into another order.
#include <stdlib.h>

struct entry { int key; const char *name; };

static int calls;

static int by_number(const void *a, const void *b) {
    calls++;
    return *(const int *)a - *(const int *)b;           //@ PROVED bounds
}

static int by_key(const void *a, const void *b) {
    const struct entry *left = a, *right = b;
    return left->name[0] - right->name[0];              //@ PROVED bounds
}

int main(void) {
    int numbers[4] = {3, 1, 2, 9}, kept = 5, *p = &kept;
    struct entry entries[2] = {{1, "one"}, {2, "two"}};
    qsort(numbers, 4, sizeof *numbers, by_number);
    //@ PROVED      numbers[0] >= 1 && numbers[3] <= 9
    //@ RESIDUAL!   numbers[0] == 3
    //@ RESIDUAL!   calls == 0
    //@ PROVED      *p == 5
    qsort(entries, 2, sizeof *entries, by_key);
    //@ PROVED      entries[0].key >= 1 && entries[1].key <= 2
    //@ PROVED      entries[0].name[2] != 'x'
    //@ RESIDUAL!   entries[0].key == 1
    return 0;
}
