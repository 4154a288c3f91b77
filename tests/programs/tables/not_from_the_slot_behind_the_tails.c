// smalti: --stages domains --stack relation/partition/octagon --function set_up --checks assertion,bounds
/* The tails are one slot too far behind. */
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
/*@ requires queues <= FIRST; */
/*@ ensures valid_queues; */                        //@ RESIDUAL!
void set_up(unsigned queues) {
    for (unsigned k = 0; k < NODES; k++) {
        q[k].used = 0;
    }
    for (unsigned head = 0; head < queues; head++) {
        q[head].used = 1;
        q[TAILS + 1 + head].used = 1;               //@ RESIDUAL! bounds
        q[head].next = TAILS + head;
        q[TAILS + 1 + head].next = head;
    }
}
int main(void) { return 0; }
