// Fills an array that is a member of a struct. The other members stay.
// by pointer: p is at i, end is at 60
#include <assert.h>
#define N 60
struct buffer {
    int head;
    int cells[N];
    int tail;
};
struct buffer b;

int main(void) {
    b.head = b.tail = 5;
#ifdef WALK
    int *end = b.cells + N;
    for (int *p = b.cells; p < end; p++) *p = 2;
#else
    for (int i = 0; i < N; i++) b.cells[i] = 2;
#endif
    assert(b.head == 5 && b.tail == 5);
    for (int k = 0; k < N; k++) assert(b.cells[k] == 2);
    return 0;
}
