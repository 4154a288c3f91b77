// smalti: --stages domains --stack relation/partition/octagon --function await --checks assertion,bounds
/* A process waits: a child that has ended is freed at once. */
#include "jobs.h"
static void release(int gone) {
    jobs[gone].state = 0;
    running--;
    for (int j = 0; j < SLOTS; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == gone) {
            jobs[j].owner = ROOT;                   //@ PROVED bounds
        }
    }
}
/*@ requires valid_jobs;
    requires 0 <= job < SLOTS && jobs[job].state > 0; */
/*@ ensures valid_jobs; */                          //@ PROVED
/*@ ensures jobs[job].state > 0; */                 //@ RESIDUAL!
int await(int job) {
    int children = 0;
    for (int j = 0; j < SLOTS; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == job) {
            children++;
            if (j > ROOT && jobs[j].state == ENDED) {   //@ PROVED bounds
                int code = jobs[j].code;
                release(j);
                return code;
            }
        }
    }
    if (children > 0) {
        jobs[job].state = BLOCKED;
    }
    return -children;
}
int main(void) { return 0; }
