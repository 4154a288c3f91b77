// smalti: --stages domains --stack relation/partition/octagon --function create --checks assertion,bounds
/* The node is linked, but never marked as used. */
#include "queues.h"
/*@ requires valid_queues; */
/*@ ensures valid_queues; */                        //@ RESIDUAL!
int create(unsigned id) {
    unsigned node;
    for (node = FIRST; node < TAILS; node++) {
        if (q[node].used == 0) break;               //@ PROVED bounds
    }
    if (node == TAILS) return -1;
    q[node].id = id;
    q[node].next = q[DORMANT].next;                 //@ PROVED bounds
    q[DORMANT].next = node;
    return (int)node;
}
int main(void) { return 0; }
