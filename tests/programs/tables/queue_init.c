// smalti: --stages domains --stack relation/partition/octagon --function set_up --checks assertion,bounds
/* Four empty queues in one table: each head is followed by its tail. */
#include "queues.h"
#define TAIL(queue) (NODES - 1 - (queue))
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
