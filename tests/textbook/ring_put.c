// Appends v to a ring buffer, if there is room.
// twin: % cap => % (cap + 1)
// twin: *count == cap => *count > cap
/*@ requires 1 <= cap <= 1000 && 0 <= head < cap;
    requires \valid(buf + (0 .. cap-1)) && \valid(count);
    requires \separated(buf + (0 .. cap-1), count);
    requires 0 <= *count <= cap;
    assigns *count, buf[0 .. cap-1];
    ensures 0 <= *count <= cap;
    ensures \result == (\old(*count) < cap ? 1 : 0);
    ensures *count == \old(*count) + \result;
    ensures \result == 1 ==> buf[(head + \old(*count)) % cap] == v;
    ensures \forall integer k; 0 <= k < cap && k != (head + \old(*count)) % cap ==>
      buf[k] == \old(buf[k]); */
int ring_put(int *buf, int cap, int head, int *count, int v) {
    if (*count == cap)
        return 0;
    buf[(head + *count) % cap] = v;
    (*count)++;
    return 1;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int cap = 1; cap <= 4; cap++)
        for (int head = 0; head < cap; head++)
            for (int start = 0; start <= cap; start++) {
                int *b = malloc(cap * sizeof *b), count = start;
                for (int k = 0; k < cap; k++) b[k] = 10 * k;
                int r = ring_put(b, cap, head, &count, 7), at = (head + start) % cap;
                assert(r == (start < cap) && count == start + r);
                for (int k = 0; k < cap; k++) assert(b[k] == (r && k == at ? 7 : 10 * k));
                free(b);
            }
    return 0;
}
#endif
