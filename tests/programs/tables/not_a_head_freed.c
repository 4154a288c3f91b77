// smalti: --stages domains --stack relation/partition/octagon --function drop --checks assertion,bounds
/* Nothing says that the node is no head. */
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
    requires 0 <= node < TAILS; */
/*@ ensures \forall integer k; 0 <= k < FIRST ==> q[k].used > 0; */           //@ RESIDUAL!
/*@ ensures \forall integer k; TAILS <= k < NODES ==> q[k].used > 0; */       //@ PROVED
void drop(unsigned node) {
    q[node].used = 0;                               //@ PROVED bounds
    for (unsigned k = 0; k < NODES; k++) {
        if (q[k].used > 0 && q[k].next == node) {
            q[k].next = TAILS;                      //@ PROVED bounds
        }
    }
}
int main(void) { return 0; }
