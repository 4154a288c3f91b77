// Takes the first slot off a free list that is linked by indexes; -1 ends the list.
// twin: *head < 0 => *head < -1
// twin: *head = next[r] => *head = r + 1
/*@ requires 1 <= n <= 1000;
    requires \valid(next + (0 .. n-1)) && \valid(head);
    requires \separated(next + (0 .. n-1), head);
    requires -1 <= *head < n;
    requires \forall integer k; 0 <= k < n ==> -1 <= next[k] < n;
    assigns *head, next[0 .. n-1];
    ensures \result == \old(*head);
    ensures -1 <= *head < n;
    ensures \forall integer k; 0 <= k < n ==> -1 <= next[k] < n;
    ensures \forall integer k; 0 <= k < n && k == \result ==> *head == \old(next[k]);
    ensures \forall integer k; 0 <= k < n && k == \result ==> next[k] == -1;
    ensures \forall integer k; 0 <= k < n && k != \result ==> next[k] == \old(next[k]); */
int list_pop(int *next, int n, int *head) {
    int r = *head;
    if (*head < 0)
        return -1;
    *head = next[r];
    next[r] = -1;
    return r;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 1, size = 5; n <= 4; n++, size *= 5)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 5) o[i] = a[i] = c % 5 - 1;
            for (int first = -1; first < n; first++) {
                for (int k = 0; k < n; k++) a[k] = o[k] >= n ? n - 1 : o[k];
                int head = first, old = first < 0 ? -1 : a[first], r = list_pop(a, n, &head);
                assert(r == first && head == old);
                for (int k = 0; k < n; k++)
                    assert(a[k] == (k == r ? -1 : o[k] >= n ? n - 1 : o[k]));
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
