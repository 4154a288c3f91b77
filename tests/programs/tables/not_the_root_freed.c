// smalti: --stages domains --stack relation/partition/octagon --function release --checks assertion,bounds
/* The root itself may be freed. */
#include "jobs.h"
/*@ requires valid_jobs;
    requires ROOT <= gone < SLOTS && jobs[gone].state > 0; */
/*@ ensures valid_jobs; */                          //@ RESIDUAL!
void release(int gone) {
    jobs[gone].state = 0;
    for (int j = 0; j < SLOTS; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == gone) {
            jobs[j].owner = ROOT;                   //@ PROVED bounds
        }
    }
}
int main(void) { return 0; }
