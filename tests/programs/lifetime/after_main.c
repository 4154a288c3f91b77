// smalti: --time-limit 20
// smalti: --stages domains
// What `atexit` registers runs after the variables of `main` have ended, or before, by `exit`.
#include <err.h>
#include <stdlib.h>

static int *kept, *other, given;

static void look(void)
{
    if (kept)
        *kept = 1; //@ RESIDUAL! lifetime   a variable of `main`
    if (other)
        *other = 1; //@ PROVED lifetime
    //@ RESIDUAL! given == 0   `err` runs it, too
}

int main(void)
{
    int choice = __VERIFIER_nondet_int();
    atexit(look);
    other = &given;
    if (choice == 1) {
        int x = 3;
        kept = &x;
        return 2;
    }
    if (choice == 2) {
        int y = 3;
        kept = &y;
        exit(2);
    }
    kept = 0;
    if (choice == 3) {
        given = 5;
        err(4, "as asked");
    }
    given = 0;
    other = 0;
    return 0;
}
