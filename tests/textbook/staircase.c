// Looks for x in a matrix with sorted rows and columns, from its upper right corner.
// The matrix is one array of rows; returns a place in it, or -1.
// twin: c >= 0 => c > 0
// twin: r < rows => r <= rows
// open: ensures.3
// slow
/*@ requires 1 <= rows <= 100 && 1 <= cols <= 100;
    requires \valid_read(m + (0 .. rows*cols-1));
    requires \forall integer i, j; 0 <= i < rows && 0 <= j < cols - 1 ==>
      m[i*cols+j] <= m[i*cols+j+1];
    requires \forall integer i, j; 0 <= i < rows - 1 && 0 <= j < cols ==>
      m[i*cols+j] <= m[(i+1)*cols+j];
    assigns \nothing;
    ensures -1 <= \result < rows * cols;
    ensures \result >= 0 ==> m[\result] == x;
    ensures \result == -1 ==>
      (\forall integer i, j; 0 <= i < rows && 0 <= j < cols ==> m[i*cols+j] != x); */
int staircase(const int *m, int rows, int cols, int x) {
    int r = 0;
    int c = cols - 1;
    while (r < rows && c >= 0) {
        int v = m[r * cols + c];
        if (v == x)
            return r * cols + c;
        if (v < x)
            r++;
        else
            c--;
    }
    return -1;
}

#ifdef RUN
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (int n = 1, size = 4; n <= 6; n++, size *= 4)
        for (int code = 0; code < size; code++) {
            int *a = malloc(n * sizeof *a), *o = malloc(n * sizeof *o);
            for (int i = 0, c = code; i < n; i++, c /= 4) o[i] = a[i] = c % 4;
            for (int rows = 1; rows <= n; rows++) {
                int cols = n / rows, ok = rows * cols == n;
                for (int k = 0; ok && k < n; k++)
                    ok = (k % cols == 0 || a[k - 1] <= a[k]) && (k < cols || a[k - cols] <= a[k]);
                for (int x = -1; ok && x <= 4; x++) {
                    int r = staircase(a, rows, cols, x);
                    assert(-1 <= r && r < n && (r == -1 || a[r] == x));
                    for (int k = 0; k < n; k++) assert(r >= 0 || a[k] != x);
                }
            }
            free(a);
            free(o);
        }
    return 0;
}
#endif
