// smalti: --stages domains --stack relation/partition/octagon --function await --checks assertion,bounds
/* A process waits: a child that has ended is freed at once. */
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
static void release(int gone) {
    jobs[gone].state = 0;
    running--;
    for (int j = 0; j < SLOTS; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == gone) {
            jobs[j].owner = ROOT;                   //@ PROVED bounds
        }
    }
}
/*@ requires valid_jobs;
    requires 0 <= job < SLOTS && jobs[job].state > 0; */
/*@ ensures valid_jobs; */                          //@ PROVED
/*@ ensures jobs[job].state > 0; */                 //@ RESIDUAL!
int await(int job) {
    int children = 0;
    for (int j = 0; j < SLOTS; j++) {
        if (jobs[j].state > 0 && jobs[j].owner == job) {
            children++;
            if (j > ROOT && jobs[j].state == ENDED) {   //@ PROVED bounds
                int code = jobs[j].code;
                release(j);
                return code;
            }
        }
    }
    if (children > 0) {
        jobs[job].state = BLOCKED;
    }
    return -children;
}
int main(void) { return 0; }
