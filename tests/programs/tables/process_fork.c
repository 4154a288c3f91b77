// smalti: --stages domains --stack relation/partition/octagon --function spawn --checks assertion,bounds
/* A process in use makes a child in the first slot that is free. */
#include "jobs.h"
/*@ requires valid_jobs;
    requires 0 <= parent < SLOTS && jobs[parent].state > 0; */
/*@ ensures valid_jobs; */                          //@ PROVED
/*@ ensures \result < 0 || jobs[\result].state > 0; */   //@ PROVED
/*@ ensures \result >= 0; */                        //@ RESIDUAL!
int spawn(int parent) {
    int child;
    if (running >= SLOTS) return -1;
    for (child = ROOT + 1; child < SLOTS; child++) {
        if (jobs[child].state == 0) break;          //@ PROVED bounds
    }
    if (child == SLOTS) return -2;
    jobs[child].owner = parent;                     //@ PROVED bounds
    jobs[child].code = jobs[parent].code;
    jobs[child].state = RUNNING;
    running++;
    return child;
}
int main(void) { return 0; }
