// smalti: --stages domains --stack relation/partition/octagon --function release_both --checks assertion,bounds
/* Two slots, if different, are freed one after the other; the slots that they owned get the root as owner. */
#include "jobs.h"
/*@ requires valid_jobs;
    requires ROOT < first < SLOTS && jobs[first].state > 0;
    requires ROOT < second < SLOTS; */
/*@ ensures valid_jobs; */                          //@ PROVED
/*@ ensures jobs[first].state == 0; */              //@ PROVED
/*@ ensures jobs[second].state == 0; */             //@ PROVED
/*@ ensures \forall integer j; 0 <= j < SLOTS ==> jobs[j].state == 0; */      //@ RESIDUAL!
void release_both(int first, int second) {
    jobs[first].state = 0;
    running--;
    for (int j = 0; j < SLOTS; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == first) {
            jobs[j].owner = ROOT;                   //@ PROVED bounds
        }
    }
    if (jobs[second].state == 0) return;
    jobs[second].state = 0;
    running--;
    for (int j = 0; j < SLOTS; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == second) {
            jobs[j].owner = ROOT;                   //@ PROVED bounds
        }
    }
}
int main(void) { return 0; }
