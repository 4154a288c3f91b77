// smalti: --malloc-may-fail --time-limit 20
// `malloc` and `realloc` may return null.
#include <stdlib.h>

static int *numbers(int n)
{
    int *p = malloc(n * sizeof *p);
    if (!p)
        return 0;
    p[0] = n; //@ PROVED bounds
    return p;
}

int main(void)
{
    int *p = numbers(4);
    if (__VERIFIER_nondet_int() == 5)
        p[1] = 1; //@ VIOLATED bounds   nobody has looked
    if (p)
        p[1] = 2; //@ PROVED bounds
    int *q = realloc(p, 8 * sizeof *p);
    if (!q) {
        if (p)
            p[2] = 3; //@ PROVED lifetime   the old block stays
        free(p);      //@ PROVED lifetime
        return 1;
    }
    q[7] = 1; //@ PROVED bounds
    free(q);  //@ PROVED lifetime
    int *zeros = calloc(3, sizeof *zeros);
    if (zeros) {
        //@ PROVED zeros[2] == 0
        free(zeros);
    }
    int *own = __builtin_alloca(2 * sizeof *own);
    own[1] = 3; //@ PROVED bounds   on the stack
    return 0;
}
