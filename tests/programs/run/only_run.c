// smalti: --stages run
// smalti: --stages run,domains,bounded,unwind
// A program without input has one run, which decides everything.
#include <assert.h>

int squares[10];

static int sum(const int *from, int count) {
    int total = 0;
    for (int i = 0; i < count; i++) {
        total += from[i];
    }
    return total;
}

int main(void) {
    for (int i = 0; i < 10; i++) {
        squares[i] = i * i;
    }
    int total = sum(squares, 10);
    assert(total == 285);             //@ PROVED
    if (total == 7) {
        assert(total == 8);           //@ UNREACHABLE
    }
    int *p = squares, *q = squares + 10;
    assert(p != q);                   //@ PROVED  both lead into one object
    unsigned char small = 200;
    small += 100;
    assert(small == 44);              //@ PROVED
    return 0;
}
