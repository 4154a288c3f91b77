/* Slots of processes, in no order: each that is used has an owner that is used. */
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
