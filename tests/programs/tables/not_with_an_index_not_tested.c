// smalti: --stages domains --stack relation/partition/octagon --function start --checks assertion,bounds
/* The node that is put into the ready queue is whatever the caller says. */
#define NODES 32
#define DORMANT 0
#define READY 1
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
    requires 0 <= node < NODES; */
/*@ ensures valid_queues; */                        //@ RESIDUAL!
void start(unsigned node) {
    unsigned cur = q[READY].next;
    q[node].next = cur;
    q[READY].next = node;                           //@ PROVED bounds
}
int main(void) { return 0; }
