// smalti: --stages domains,summary
// Runs go on as the parent and as the child of `fork`, each with the memory that was there before.
#include <unistd.h>

int shared, *place = &shared;

int main(void)
{
    int local = 1;
    shared = 2;
    pid_t child = fork();
    //@ PROVED      local == 1 && *place == 2
    //@ PROVED      child >= -1
    //@ RESIDUAL!   child >= 0
    //@ RESIDUAL!   child != 0
    //@ RESIDUAL!   child <= 0
    if (child == 0) {
        shared = 3;
        fork();
        //@ PROVED      shared == 3
    }
    //@ RESIDUAL!   shared == 2
    //@ RESIDUAL!   shared == 3
    return 0;
}
