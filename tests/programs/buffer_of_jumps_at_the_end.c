// smalti: --stages domains,summary
// A `jmp_buf` is an array of one element, but has no room for more: a struct that ends with one may
// be a variable, and stand in memory of any size.
#include <setjmp.h>
#include <stdlib.h>

struct handler { int depth; jmp_buf place; };
struct handler *current;

static void leave(void)
{
    if (current) longjmp(current->place, 1);
}

int main(int argc, char **argv)
{
    struct handler here, *other = malloc(sizeof *other + 8);
    int a[2] = {1, 2};
    here.depth = 1;
    if (setjmp(here.place)) return 1;
    current = &here;
    //@ PROVED      current->depth == 1
    if (argc > 1) leave();
    if (sigsetjmp(other->place, 1)) return 2;
    current = other;
    if (argc > 2) leave();
    a[argc] = 3; //@ PROVED bounds   `leave` does not return
    return a[argc + 1]; //@ RESIDUAL! bounds
}
