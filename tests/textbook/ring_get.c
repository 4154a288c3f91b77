// Takes the oldest value out of a ring buffer, if there is one.
// twin: *count == 0 => *count < 0
// twin: *head + 1 == cap => *head + 1 > cap
/*@ requires 1 <= cap <= 1000;
    requires \valid_read(buf + (0 .. cap-1)) && \valid(head) && \valid(count) && \valid(out);
    requires \separated(head, count) && \separated(head, out) && \separated(count, out);
    requires \separated(buf + (0 .. cap-1), head) && \separated(buf + (0 .. cap-1), count);
    requires \separated(buf + (0 .. cap-1), out);
    requires 0 <= *head < cap && 0 <= *count <= cap;
    assigns *head, *count, *out;
    ensures 0 <= *head < cap && 0 <= *count <= cap;
    ensures \result == (\old(*count) > 0 ? 1 : 0);
    ensures *count == \old(*count) - \result;
    ensures *head == (\old(*head) + \result) % cap;
    ensures \result == 1 ==> *out == buf[\old(*head)]; */
int ring_get(const int *buf, int cap, int *head, int *count, int *out) {
    if (*count == 0)
        return 0;
    *out = buf[*head];
    *head = *head + 1 == cap ? 0 : *head + 1;
    *count = *count - 1;
    return 1;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int cap = 1; cap <= 4; cap++)
        for (int first = 0; first < cap; first++)
            for (int start = 0; start <= cap; start++) {
                int *b = malloc(cap * sizeof *b), count = start, head = first, out = -1;
                for (int k = 0; k < cap; k++) b[k] = 10 * k;
                int r = ring_get(b, cap, &head, &count, &out);
                assert(r == (start > 0) && count == start - r);
                assert(head == (first + r) % cap && out == (r ? 10 * first : -1));
                free(b);
            }
    return 0;
}
#endif
