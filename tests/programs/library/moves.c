// smalti: --stages run,domains --stack values --checks bounds,assertion
// `memmove` copies bytes as they were before.
#include <string.h>

int main(int argc, char **argv) {
    int a[6] = {1, 2, 3, 4, 5, 6}, n = argc;
    (void)argv;
    memmove(&a[1], &a[0], 4 * sizeof *a);           //@ PROVED bounds
    //@ PROVED      a[0] == 1 && a[1] == 1 && a[2] == 2 && a[4] == 4 && a[5] == 6
    memmove(&a[0], &a[2], 3 * sizeof *a);           //@ PROVED bounds
    //@ PROVED      a[0] == 2 && a[2] == 4 && a[3] == 3
    if (n < 1 || n > 3) return 0;
    memmove(&a[0], &a[3], n * sizeof *a);           //@ PROVED bounds
    //@ RESIDUAL!   a[0] == 2
    //@ PROVED      a[5] == 6
    if (n == 2) memmove(&a[1], &a[0], 6 * sizeof *a);   //@ RESIDUAL! bounds
    return 0;
}
