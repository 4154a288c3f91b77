// smalti: --stages domains --stack relation/partition/octagon --function end --checks assertion,bounds
/* A process ends: its slot is freed if its owner waits, and with it that of a child that has ended. */
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
    requires ROOT < job < SLOTS && jobs[job].state > 0; */
/*@ ensures valid_jobs; */                          //@ TODO
void end(int job, int code) {
    int owner = jobs[job].owner;
    jobs[job].code = code;
    if (jobs[owner].state != BLOCKED) {             //@ PROVED bounds
        jobs[job].state = ENDED;
        return;
    }
    jobs[owner].state = RUNNING;
    release(job);
    for (int j = ROOT + 1; j < SLOTS; j++) {
        if (jobs[j].state == ENDED && jobs[j].owner == ROOT) {
            release(j);
            break;
        }
    }
}
int main(void) { return 0; }
