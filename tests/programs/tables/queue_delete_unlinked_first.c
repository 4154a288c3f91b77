// smalti: --stages domains --stack relation/partition/octagon --function delete --checks assertion,bounds
/* A node is taken out of whatever queue it is in, and freed. */
#include "queues.h"
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
