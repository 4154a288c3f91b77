// smalti: --stages run,domains --stack values --checks lifetime
// Where control comes back to `setjmp`, blocks and variables of calls may have ended.
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf start;
static int *shared, *block;

static void leave(int n) {
    int local = n;
    shared = &local;
    if (n == 3) free(block);
    if (n > 2) longjmp(start, 1);
}

int main(int argc, char **argv) {
    (void)argv;
    block = malloc(sizeof *block);
    *block = 1;                     //@ PROVED lifetime
    if (setjmp(start)) {
        *shared = 2;                //@ RESIDUAL! lifetime
        *block = 2;                 //@ RESIDUAL! lifetime
        int *later = malloc(sizeof *later);
        *later = 1;                 //@ PROVED lifetime
        free(later);                //@ PROVED lifetime
        return 1;
    }
    int *other = malloc(sizeof *other);
    *other = 1;                     //@ PROVED lifetime
    leave(argc);
    *other = 2;                     //@ PROVED lifetime
    free(other);                    //@ PROVED lifetime
    return 0;
}
