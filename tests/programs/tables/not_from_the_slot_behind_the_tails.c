// smalti: --stages domains --stack relation/partition/octagon --function set_up --checks assertion,bounds
/* The tails are one slot too far back. */
#include "queues.h"
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
