// smalti: --stages domains --stack relation/partition/octagon --function release --checks assertion,bounds
/* A slot is freed; the slots that it owned get the root as owner. */
#include "jobs.h"
/*@ requires valid_jobs;
    requires ROOT < gone < SLOTS && jobs[gone].state > 0; */
/*@ ensures valid_jobs; */                          //@ PROVED
/*@ ensures jobs[gone].state == 0; */               //@ PROVED
/*@ ensures \forall integer j; 0 <= j < SLOTS && jobs[j].state > 0 ==> jobs[j].owner != gone; */   //@ PROVED
/*@ ensures jobs[SLOTS - 1].state == 0; */          //@ RESIDUAL!
void release(int gone) {
    jobs[gone].state = 0;
    running--;
    for (int j = 0; j < SLOTS; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == gone) {
            jobs[j].owner = ROOT;                   //@ PROVED bounds
        }
    }
}
int main(void) { return 0; }
