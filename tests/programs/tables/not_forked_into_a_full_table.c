// smalti: --stages domains --stack relation/partition/octagon --function spawn --checks assertion,bounds
/* The search for a free slot may end past the table. */
#include "jobs.h"
/*@ requires valid_jobs;
    requires 0 <= parent < SLOTS && jobs[parent].state > 0; */
int spawn(int parent) {
    int child = 0;
    while (child < SLOTS && jobs[child].state > 0) {   //@ PROVED bounds
        child++;
    }
    jobs[child].owner = parent;                     //@ RESIDUAL! bounds
    jobs[child].state = 1;
    return child;
}
int main(void) { return 0; }
