// smalti: --stages domains --stack relation/partition/octagon --function set_up --checks assertion,bounds
/* Four empty queues in one table: each head is followed by its tail. */
#define NODES 32
#define DORMANT 0
#define READY 1
#define DELAYED 2
#define SUSPENDED 3
#define FIRST 4
#define TAILS (NODES - 4)
#define TAIL(queue) (NODES - 1 - (queue))
#define NOBODY 255
struct node { unsigned id; unsigned handler; unsigned next; unsigned used; };
struct node q[NODES];
/*@ predicate linked(integer k) = 0 <= q[k].next < NODES && q[q[k].next].used > 0;
    predicate valid_queues =
        (\forall integer k; 0 <= k < NODES && q[k].used > 0 ==> linked(k))
     && (\forall integer k; 0 <= k < FIRST ==> q[k].used > 0)
     && (\forall integer k; TAILS <= k < NODES ==> q[k].used > 0);
*/
static void make_empty(unsigned head, unsigned tail) {
    q[head].id = NOBODY;
    q[head].used = 1;
    q[tail].id = NOBODY;
    q[tail].used = 1;
    q[head].next = tail;
    q[tail].next = head;
}
/*@ ensures valid_queues; */                        //@ PROVED
/*@ ensures q[READY].next == DORMANT; */      //@ RESIDUAL!
void set_up(void) {
    for (unsigned k = 0; k < NODES; k++) {
        q[k].used = 0;                              //@ PROVED bounds
    }
    make_empty(DORMANT, TAIL(DORMANT));
    make_empty(READY, TAIL(READY));
    make_empty(DELAYED, TAIL(DELAYED));
    make_empty(SUSPENDED, TAIL(SUSPENDED));
}
int main(void) { return 0; }
