// smalti: --stages domains --stack relation/partition/octagon --function release_both --checks assertion,bounds
/* Two slots are freed, one after the other, unless they are one; who belonged to them is given to the root. */
#define SLOTS 64
#define KERNEL 0
#define SWAPPER 1
#define ROOT 2
#define RUNNING 1
#define BLOCKED 2
#define ENDED 4
struct job { int code; int state; int owner; };
struct job jobs[SLOTS];
int running;
/*@ predicate well_formed(integer j) =
        0 < jobs[j].state <= 7 && 0 <= jobs[j].owner < SLOTS && jobs[jobs[j].owner].state > 0;
    predicate valid_jobs =
        (\forall integer j; 0 <= j < SLOTS ==> jobs[j].state >= 0)
     && (\forall integer j; 0 <= j < SLOTS && jobs[j].state > 0 ==> well_formed(j))
     && (\forall integer j; 0 <= j <= ROOT ==> jobs[j].state > 0);
*/
/*@ requires valid_jobs;
    requires ROOT < first < SLOTS && jobs[first].state > 0;
    requires ROOT < second < SLOTS; */
/*@ ensures valid_jobs; */                          //@ PROVED
/*@ ensures jobs[first].state == 0; */              //@ PROVED
/*@ ensures jobs[second].state == 0; */             //@ TODO     where the tested cell lies is forgotten
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
