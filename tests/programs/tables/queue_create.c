// smalti: --stages domains --stack relation/partition/octagon --function create --checks assertion,bounds
/* A node that is free joins the dormant queue, behind its head. */
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
/*@ ensures \result == -1 || q[\result].used == 1; */   //@ PROVED
/*@ ensures \result == FIRST; */                    //@ RESIDUAL!
int create(unsigned id, unsigned handler) {
    unsigned node;
    for (node = FIRST; node < TAILS; node++) {
        if (q[node].used == 0) break;               //@ PROVED bounds
    }
    if (node == TAILS) return -1;
    q[node].id = id;
    q[node].handler = handler;
    q[node].next = q[DORMANT].next;                 //@ PROVED bounds
    q[node].used = 1;
    q[DORMANT].next = node;
    return (int)node;
}
int main(void) { return 0; }
