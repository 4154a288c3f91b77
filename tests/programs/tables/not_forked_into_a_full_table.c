// smalti: --stages domains --stack relation/partition/octagon --function spawn --checks assertion,bounds
/* The search for a free slot may end behind the table. */
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
