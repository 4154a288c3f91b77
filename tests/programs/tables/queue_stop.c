// smalti: --stages domains --stack relation/partition/octagon --function stop --checks assertion,bounds
/* The running task, or another one of the ready queue, goes to the suspended queue. */
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
/*@ ensures \result == 0; */                        //@ RESIDUAL!
int stop(unsigned running, unsigned id) {
    unsigned node = running;
    if (q[running].id != id) {
        unsigned pre = READY;
        node = q[pre].next;
        for (int n = 0; n < NODES; n++) {
            if (q[node].id == NOBODY || q[node].id == id) break;   //@ PROVED bounds
            pre = node;
            node = q[pre].next;                     //@ PROVED bounds
        }
        if (q[node].id != id) return -1;
        q[pre].next = q[node].next;                 //@ PROVED bounds
    }
    q[node].next = q[SUSPENDED].next;               //@ PROVED bounds
    q[SUSPENDED].next = node;
    return 0;
}
int main(void) { return 0; }
