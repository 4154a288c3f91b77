// smalti: --stages domains --stack relation/partition/octagon --function release --checks assertion,bounds
/* The slot is freed, and who belonged to it keeps it as owner from the slot behind it on. */
#define SLOTS 64
#define ROOT 2
struct job { int code; int state; int owner; };
struct job jobs[SLOTS];
/*@ predicate well_formed(integer j) =
        0 < jobs[j].state <= 7 && 0 <= jobs[j].owner < SLOTS && jobs[jobs[j].owner].state > 0;
    predicate valid_jobs =
        (\forall integer j; 0 <= j < SLOTS ==> jobs[j].state >= 0)
     && (\forall integer j; 0 <= j < SLOTS && jobs[j].state > 0 ==> well_formed(j))
     && (\forall integer j; 0 <= j <= ROOT ==> jobs[j].state > 0);
*/
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
