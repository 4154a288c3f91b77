// Looks for a key with linear probing; gives up at an empty slot or after a whole turn.
// twin: s == n => s > n
// twin: i < n => i < n - 1
// open: ensures.3 ensures.4
/*@ requires 1 <= n <= 1000 && 1 <= key;
    requires \valid_read(t + (0 .. n-1));
    assigns \nothing;
    ensures -1 <= \result < n;
    ensures \result >= 0 ==> t[\result] == key;
    ensures t[key % n] == key ==> \result == key % n;
    ensures \result == -1 ==> (\exists integer e; 0 <= e < n && t[e] == 0) ||
      (\forall integer k; 0 <= k < n ==> t[k] != key); */
int probe_lookup(const int *t, int n, int key) {
    int s = key % n;
    for (int i = 0; i < n; i++) {
        if (t[s] == key)
            return s;
        if (t[s] == 0)
            return -1;
        s++;
        if (s == n)
            s = 0;
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
            int key = code % 3 + 1, r = probe_lookup(a, n, key), empty = 0;
            assert(-1 <= r && r < n && (r == -1 || a[r] == key));
            if (a[key % n] == key) assert(r == key % n);
            for (int k = 0; k < n; k++) empty = empty || a[k] == 0;
            for (int k = 0; k < n; k++) assert(r >= 0 || empty || a[k] != key);
            free(a);
            free(o);
        }
    return 0;
}
#endif
