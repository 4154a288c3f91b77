// smalti: --stages domains
// smalti: --stages run,domains,bounded --time-limit 20
// Objects that may have ended where they are used.
#include <stdlib.h>

static int *kept, zero;
static int *slots[3];

static void keep(int x)
{
    int copy = x;
    kept = &copy;
}

static void release(int *p)
{
    free(p); //@ RESIDUAL! lifetime   also called with a block that was freed
}

static int *own(int n)
{
    int array[2] = {n, n};
    int *first = array;
    return n > 5 ? first : &zero;
}

static int deep(int n, int *from)
{
    int here = n;
    if (n == 2)
        kept = &here;
    return n <= 0 ? *from : deep(n - 1, &here);
}

static void in_stack(int n)
{
    int *p = __builtin_alloca(4 * sizeof *p);
    p[0] = n;
    if (n == 4)
        kept = p;
}

int main(void)
{
    int choice = __VERIFIER_nondet_int(), x = 1;
    kept = &zero;
    int *p = malloc(2 * sizeof *p), *alias = p;
    *p = 1;
    if (choice == 1) {
        release(p);
        return *alias; //@ RESIDUAL! lifetime   another name of the block
    }
    if (choice == 2) {
        release(p);
        release(alias);
        return 0;
    }
    if (choice == 3) {
        keep(3);
        return *kept; //@ RESIDUAL! lifetime   a variable of a call that has returned
    }
    if (choice == 4)
        return *own(choice + 2); //@ RESIDUAL! lifetime
    if (choice == 5) {
        x = deep(4, &x);
        return *kept; //@ RESIDUAL! lifetime   a variable of one call of many
    }
    if (choice == 6) {
        in_stack(4);
        return *kept; //@ RESIDUAL! lifetime   `alloca`
    }
    if (choice == 7) {
        for (int i = 0; i < 3; i++) {
            int inner = i;
            if (i > 0)
                x += *kept; //@ RESIDUAL! lifetime   that of the iteration before
            kept = &inner;
        }
        return x;
    }
    if (choice == 8) {
        free(p + 1); //@ RESIDUAL! lifetime   not the start of the block
        return 0;
    }
    if (choice == 9) {
        free(&zero); //@ RESIDUAL! lifetime   no block
        return 0;
    }
    if (choice == 10) {
        slots[1] = p;
        p = realloc(p, 4 * sizeof *p);
        *slots[1] = 2; //@ RESIDUAL! lifetime   the block may have moved
        return 0;
    }
    if (choice == 11) {
        for (int i = 0; i < 3; i++)
            slots[i] = malloc(sizeof(int));
        for (int i = 0; i < 3; i++)
            free(slots[i]);
        *slots[2] = 3; //@ RESIDUAL! lifetime
        return 0;
    }
    return 0;
}
