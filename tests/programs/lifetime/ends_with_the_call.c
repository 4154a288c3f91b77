// smalti: --stages unwind --checks lifetime
// What CBMC is not told of: objects that end in other ways.
#include <stdlib.h>

static int *kept, zero;

static void in_stack(int key)
{
    int *p = __builtin_alloca(4 * sizeof *p);
    p[0] = key; //@ RESIDUAL lifetime
    if (key == 44444)
        kept = p;
}

int main(void)
{
    int key = __VERIFIER_nondet_int();
    kept = &zero;
    in_stack(key);
    *kept = 1; //@ RESIDUAL! lifetime
    return 0;
}
