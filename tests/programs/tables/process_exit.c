// smalti: --stages domains --stack relation/partition/octagon --function end --checks assertion,bounds
/* A process ends: its slot is freed if its owner waits, and with it that of a child that has ended. */
#include "jobs.h"
/*@ requires valid_jobs;
    requires ROOT < job < SLOTS && jobs[job].state > 0; */
/*@ ensures valid_jobs; */                          //@ PROVED
/*@ ensures jobs[job].state == 0; */                //@ RESIDUAL!
void end(int job, int code) {
    int orphan = SLOTS;
    jobs[job].code = code;
    if (jobs[jobs[job].owner].state != BLOCKED) {   //@ PROVED bounds
        jobs[job].state = ENDED;
        return;
    }
    jobs[jobs[job].owner].state = RUNNING;
    jobs[job].state = 0;
    running--;
    for (int j = 0; j < SLOTS; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == job) {
            jobs[j].owner = ROOT;                   //@ PROVED bounds
            if (jobs[j].state == ENDED && j > ROOT) orphan = j;
        }
    }
    if (orphan == SLOTS || jobs[ROOT].state != BLOCKED) return;
    jobs[ROOT].state = RUNNING;
    jobs[orphan].state = 0;                         //@ PROVED bounds
    running--;
    for (int j = 0; j < SLOTS; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == orphan) {
            jobs[j].owner = ROOT;                   //@ PROVED bounds
        }
    }
}
int main(void) { return 0; }
