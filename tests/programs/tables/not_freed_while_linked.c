// smalti: --stages domains --stack relation/partition/octagon --function delete --checks assertion,bounds
/* A node of the dormant queue is freed while the node before it is still linked to it. */
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
/*@ requires valid_queues; */
/*@ ensures valid_queues; */                        //@ RESIDUAL!
int delete(unsigned id) {
    unsigned cur = q[DORMANT].next;
    while (q[cur].id != NOBODY && q[cur].id != id) {   //@ PROVED bounds
        cur = q[cur].next;                          //@ PROVED bounds
    }
    if (q[cur].id == NOBODY || cur < FIRST || cur >= TAILS) return -1;
    q[cur].used = 0;
    return 0;
}
int main(void) { return 0; }
