// smalti: --stages domains,summary
// After `vfork`, the parent goes on with the memory as its child leaves it.
#include <unistd.h>

int shared = 1, never = 1;

static void run(void)
{
    shared = 2;
    execlp("true", "true", (char *)0);
    _exit(1);
}

int main(void)
{
    int local = 1, same = 3, *p = &local;
    shared = 1;
    pid_t child = vfork();
    if (child == 0) {
        //@ PROVED      shared == 1 && local == 1 && same == 3
        local = 4;
        run();
    }
    //@ PROVED      same == 3
    //@ RESIDUAL!   shared == 1
    //@ RESIDUAL!   shared == 2
    //@ RESIDUAL!   local == 1
    //@ RESIDUAL!   local == 4
    //@ RESIDUAL!   child > 0
    return 0;
}
