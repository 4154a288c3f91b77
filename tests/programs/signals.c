// smalti: --time-limit 20
// Handlers of signals run between any two accesses.
#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t stop;
static int last, kept, seen[4], place;
static int *link = &last;

static void note(int number)
{
    seen[place & 3] = number; //@ PROVED bounds   in every state
    seen[place] = number;     //@ RESIDUAL! bounds   the place may be any
}

static void on_interrupt(int number)
{
    stop = 1;
    note(number);
    *link = 3;
}

int main(void)
{
    void (*before)(int) = signal(SIGINT, on_interrupt);
    if (before == SIG_ERR)
        return 1;
    signal(SIGPIPE, SIG_IGN);
    int own = 1;
    stop = 0;
    //@ RESIDUAL! stop == 0   a signal may have arrived
    last = 4;
    //@ RESIDUAL! last == 4   the handler writes through a pointer
    int turns = 0;
    while (!stop && turns < 10)
        turns++;
    //@ PROVED turns <= 10
    //@ RESIDUAL! turns == 0 || turns == 10   between iterations
    //@ RESIDUAL! seen[1] == 0
    //@ RESIDUAL! last == last   it may arrive between two reads
    own++;
    //@ PROVED own == 2   nothing leads to it
    return 0;
}
