// smalti: --stages domains --stack relation/partition/octagon --function delete --checks assertion,bounds
/* A node of the dormant queue is freed while the node before it is still linked to it. */
#include "queues.h"
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
