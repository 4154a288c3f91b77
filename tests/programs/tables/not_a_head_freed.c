// smalti: --stages domains --stack relation/partition/octagon --function drop --checks assertion,bounds
/* The precondition does not exclude that the node is a head. */
#include "queues.h"
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
