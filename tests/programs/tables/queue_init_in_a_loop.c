// smalti: --stages domains --stack relation/partition/octagon --function set_up --checks assertion,bounds
/* Four empty queues, made in a loop; the tails are in the order of the heads. */
#include "queues.h"
/*@ ensures valid_queues; */                        //@ TODO
void set_up(void) {
    for (unsigned k = 0; k < NODES; k++) {
        q[k].used = 0;                              //@ PROVED bounds
    }
    for (unsigned head = 0; head < FIRST; head++) {
        unsigned tail = TAILS + head;
        q[head].id = NOBODY;
        q[head].used = 1;
        q[tail].id = NOBODY;                        //@ PROVED bounds
        q[tail].used = 1;
        q[head].next = tail;
        q[tail].next = head;
    }
}
int main(void) { return 0; }
