// smalti: --stages domains --stack relation/partition/octagon --function start --checks assertion,bounds
/* The caller may choose any node for the ready queue. */
#include "queues.h"
/*@ requires valid_queues;
    requires 0 <= node < NODES; */
/*@ ensures valid_queues; */                        //@ RESIDUAL!
void start(unsigned node) {
    unsigned cur = q[READY].next;
    q[node].next = cur;                             //@ PROVED bounds
    q[READY].next = node;
}
int main(void) { return 0; }
