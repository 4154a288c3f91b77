// smalti: --stages run,unwind --checks lifetime
// Variables of blocks and calls, and pointers that may be left when they have ended.
#include <stdlib.h>

struct list {
    struct list *up;
    int value;
};

static struct list *top;
static int *kept, zero;

static int deep(int n, struct list *up)
{
    struct list here;
    here.up = up;
    here.value = n;
    top = &here;
    int sum = n > 0 ? deep(n - 1, &here) : 0;
    for (struct list *l = &here; l; l = l->up) //@ PROVED lifetime   calls that are open
        sum += l->value;                       //@ PROVED lifetime
    top = up;
    return sum;
}

static int *parameter(int given, int key)
{
    return key == 54321 ? &given : &zero;
}

static void leaves_early(int key)
{
    int own = 1;
    kept = &own;
    if (key == 43210)
        return;
    *kept = 5; //@ PROVED lifetime
    kept = &zero;
}

static void leaves_a_loop(int key)
{
    for (int i = 0; i < 3; i++) {
        int own = i;
        kept = &own;
        if (key == 10000 + i)
            break;
        if (key == 20000 + i) {
            kept = &zero;
            continue;
        }
        *kept = 3; //@ PROVED lifetime   the one of this iteration
        kept = &zero;
    }
    *kept = 8; //@ VIOLATED lifetime   after the break
}

int main(void)
{
    int key = __VERIFIER_nondet_int(), which = __VERIFIER_nondet_int();
    kept = &zero;
    int sum = deep(2, 0);
    if (which == 0)
        *parameter(sum, key) = 3; //@ VIOLATED lifetime
    if (which == 1) {
        leaves_early(key);
        *kept = 2; //@ VIOLATED lifetime
    }
    if (which == 2)
        leaves_a_loop(key);
    if (which == 3) {
        int own = 4;
        kept = &own;
        *kept = 5; //@ PROVED lifetime
        if (key == 60606)
            free(kept); //@ VIOLATED lifetime   no heap block
    }
    return sum;
}
