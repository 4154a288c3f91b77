// smalti: --stages domains --stack relation/partition/octagon --function release --checks assertion,bounds
/* The slot is freed, and who belonged to it keeps it as owner from the slot behind it on. */
#include "jobs.h"
/*@ requires valid_jobs;
    requires ROOT < gone < SLOTS && jobs[gone].state > 0; */
/*@ ensures valid_jobs; */                          //@ RESIDUAL!
void release(int gone) {
    jobs[gone].state = 0;
    for (int j = 0; j < gone; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == gone) {
            jobs[j].owner = ROOT;                   //@ PROVED bounds
        }
    }
}
int main(void) { return 0; }
