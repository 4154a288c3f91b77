// smalti: --stages domains --stack relation/partition/octagon --function set_up --checks assertion,bounds
/* A table of processes is set up: each process in use is owned by one in use. */
#include "jobs.h"
/*@ ensures valid_jobs; */                          //@ PROVED
/*@ ensures jobs[ROOT + 1].state > 0; */            //@ RESIDUAL!
void set_up(void) {
    for (int j = SLOTS - 1; j >= 0; j--) {
        jobs[j].state = 0;                          //@ PROVED bounds
        jobs[j].owner = KERNEL;
    }
    for (int j = KERNEL; j <= ROOT; j++) {
        jobs[j].state = RUNNING;
    }
    running = ROOT + 1;
}
int main(void) { return 0; }
