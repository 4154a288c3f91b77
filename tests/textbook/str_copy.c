// Copies a string that ends within n characters, with its zero; returns its length.
// twin: dst[i] = 0 => dst[n - 1] = 0
// twin: int i = 0 => int i = 1
/*@ requires 1 <= n <= 1000;
    requires \valid_read(src + (0 .. n-1)) && \valid(dst + (0 .. n-1));
    requires \separated(src + (0 .. n-1), dst + (0 .. n-1));
    requires \exists integer k; 0 <= k < n && src[k] == 0;
    assigns dst[0 .. n-1];
    ensures 0 <= \result < n;
    ensures dst[\result] == 0 && src[\result] == 0;
    ensures \forall integer k; 0 <= k < \result ==> dst[k] == src[k] && dst[k] != 0; */
int str_copy(char *dst, const char *src, int n) {
    int i = 0;
    while (src[i] != 0) {
        dst[i] = src[i];
        i++;
    }
    dst[i] = 0;
    return i;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 1, size = 3; n <= 5; n++, size *= 3)
        for (int code = 0; code < size; code++) {
            char *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 3) o[i] = a[i] = c % 3;
            if (memchr(a, 0, n)) {
                memset(o, 9, n);
                int r = str_copy(o, a, n);
                assert(0 <= r && r < n && o[r] == 0 && a[r] == 0);
                for (int k = 0; k < r; k++) assert(o[k] == a[k] && o[k] != 0);
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
