// smalti: --stages domains --stack relation/partition/octagon --function delete --checks assertion,bounds
/* A node is freed, and the queue that it was in ends before it. */
#include "queues.h"
/*@ requires valid_queues;
    requires FIRST <= node < TAILS && q[node].used > 0; */
/*@ ensures valid_queues; */                        //@ PROVED
/*@ ensures q[node].used == 0; */                   //@ PROVED
/*@ ensures \forall integer k; 0 <= k < NODES ==> q[k].used > 0; *///@ RESIDUAL!
void delete(unsigned node) {
    q[node].used = 0;
    for (unsigned k = 0; k < NODES; k++) {
        if (q[k].used > 0 && q[k].next == node) {
            q[k].next = TAILS;                      //@ PROVED bounds
        }
    }
}
int main(void) { return 0; }
