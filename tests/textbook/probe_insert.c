// Inserts a key into a hash table with linear probing; 0 marks an empty slot.
// twin: i < n => i < n - 1
// twin: (h + i) % n => (h + i)
// open: ensures.5
/*@ requires 1 <= n <= 1000 && 1 <= key;
    requires \valid(t + (0 .. n-1));
    assigns t[0 .. n-1];
    ensures -1 <= \result < n;
    ensures \result >= 0 ==> t[\result] == key;
    ensures \forall integer k; 0 <= k < n && k != \result ==> t[k] == \old(t[k]);
    ensures \forall integer k; 0 <= k < n && k == \result ==> \old(t[k]) == 0 || \old(t[k]) == key;
    ensures \result == -1 ==> (\forall integer k; 0 <= k < n ==> t[k] != 0 && t[k] != key); */
int probe_insert(int *t, int n, int key) {
    int h = key % n;
    for (int i = 0; i < n; i++) {
        int s = (h + i) % n;
        if (t[s] == 0 || t[s] == key) {
            t[s] = key;
            return s;
        }
    }
    return -1;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 1, size = 4; n <= 5; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4;
            int r = probe_insert(a, n, code % 3 + 1);
            assert(-1 <= r && r < n);
            for (int k = 0; k < n; k++) {
                if (k == r) assert(a[k] == code % 3 + 1 && (o[k] == 0 || o[k] == a[k]));
                else assert(a[k] == o[k]);
                if (r == -1) assert(a[k] != 0 && a[k] != code % 3 + 1);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
