// smalti: --stages domains --stack relation/partition/octagon --function set_up --checks assertion,bounds
/* A table of processes is set up: each process in use is owned by one in use. */
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
/*@ ensures valid_jobs; */                          //@ PROVED
/*@ ensures jobs[ROOT + 1].state > 0; */            //@ RESIDUAL!
void set_up(void) {
    for (int j = SLOTS - 1; j >= 0; j--) {
        jobs[j].state = 0;                          //@ PROVED bounds
        jobs[j].owner = KERNEL;
    }
    for (int j = KERNEL; j <= ROOT; j++) {
        jobs[j].state = RUNNING;
    }
    running = ROOT + 1;
}
int main(void) { return 0; }
