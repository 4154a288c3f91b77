// smalti: --stages domains --stack relation/partition/octagon --function start --checks assertion,bounds
/* A task is looked for in the dormant queue, taken out, and put at the end of the ready queue. */
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
/*@ requires valid_queues; */
/*@ ensures valid_queues; */                        //@ PROVED
/*@ ensures \result == 0; */                        //@ RESIDUAL!
int start(unsigned id) {
    unsigned pre = DORMANT;
    unsigned cur = q[pre].next;
    while (q[cur].id != NOBODY && q[cur].id != id) {   //@ PROVED bounds
        pre = cur;
        cur = q[cur].next;                          //@ PROVED bounds
    }
    if (q[cur].id == NOBODY) return -1;
    unsigned node = cur;
    q[pre].next = q[node].next;                     //@ PROVED bounds
    pre = READY;
    cur = q[pre].next;
    while (q[cur].id != NOBODY) {                   //@ PROVED bounds
        pre = cur;
        cur = q[cur].next;                          //@ PROVED bounds
    }
    q[node].next = cur;
    q[pre].next = node;                             //@ PROVED bounds
    return 0;
}
int main(void) { return 0; }
