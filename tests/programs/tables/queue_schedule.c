// smalti: --stages domains --stack relation/partition/octagon --function schedule --checks assertion,bounds
/* The first task that is ready runs if it is the more urgent one; the one that ran is queued by its urgency. */
#define NODES 32
#define DORMANT 0
#define READY 1
#define DELAYED 2
#define SUSPENDED 3
#define FIRST 4
#define TAILS (NODES - 4)
#define NOBODY 255
struct node { unsigned id; unsigned handler; unsigned next; unsigned used; };
struct node q[NODES];
/*@ predicate linked(integer k) = 0 <= q[k].next < NODES && q[q[k].next].used > 0;
    predicate valid_queues =
        (\forall integer k; 0 <= k < NODES && q[k].used > 0 ==> linked(k))
     && (\forall integer k; 0 <= k < FIRST ==> q[k].used > 0)
     && (\forall integer k; TAILS <= k < NODES ==> q[k].used > 0);
*/
/*@ requires valid_queues;
    requires FIRST <= running < TAILS && q[running].used > 0; */
/*@ ensures valid_queues; */                        //@ PROVED
/*@ ensures 0 <= \result < NODES && q[\result].used > 0; */   //@ PROVED
/*@ ensures \result == \old(running); */            //@ RESIDUAL!
unsigned schedule(unsigned running) {
    unsigned first = q[READY].next;
    if (q[first].handler <= q[running].handler) return running;   //@ PROVED bounds
    unsigned pre = READY;
    unsigned cur = first;
    while (q[cur].id != NOBODY && q[cur].handler > q[running].handler) {   //@ PROVED bounds
        pre = cur;
        cur = q[cur].next;                          //@ PROVED bounds
    }
    q[running].next = cur;
    q[pre].next = running;                          //@ PROVED bounds
    q[READY].next = q[first].next;                  //@ PROVED bounds
    return first;
}
int main(void) { return 0; }
