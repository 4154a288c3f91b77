// smalti: --stages domains --stack relation/partition/octagon --function delete --checks assertion,bounds
/* A node is taken out of whatever queue it is in, and freed. */
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
    requires FIRST <= node < TAILS && q[node].used > 0; */
/*@ ensures valid_queues; */                        //@ TODO     the loop loses which cell is the one at `node`
/*@ ensures q[node].used == 0; */                   //@ PROVED
void delete(unsigned node) {
    for (unsigned k = 0; k < NODES; k++) {
        if (q[k].used > 0 && q[k].next == node) {
            q[k].next = q[node].next;               //@ PROVED bounds
        }
    }
    q[node].used = 0;
}
int main(void) { return 0; }
