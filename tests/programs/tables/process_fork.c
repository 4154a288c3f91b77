// smalti: --stages domains --stack relation/partition/octagon --function spawn --checks assertion,bounds
/* A process in use makes a child in the first slot that is free. */
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
    requires 0 <= parent < SLOTS && jobs[parent].state > 0; */
/*@ ensures valid_jobs; */                          //@ PROVED
/*@ ensures \result < 0 || jobs[\result].state > 0; */   //@ PROVED
/*@ ensures \result >= 0; */                        //@ RESIDUAL!
int spawn(int parent) {
    int child;
    if (running >= SLOTS) return -1;
    for (child = ROOT + 1; child < SLOTS; child++) {
        if (jobs[child].state == 0) break;          //@ PROVED bounds
    }
    if (child == SLOTS) return -2;
    jobs[child].owner = parent;                     //@ PROVED bounds
    jobs[child].code = jobs[parent].code;
    jobs[child].state = RUNNING;
    running++;
    return child;
}
int main(void) { return 0; }
