// smalti: --stages domains --stack relation/partition/octagon --function release --checks assertion,bounds
/* A slot is freed, but the slots after it that it owned keep it as owner. */
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
