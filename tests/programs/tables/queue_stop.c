// smalti: --stages domains --stack relation/partition/octagon --function stop --checks assertion,bounds
/* The running task, or another one of the ready queue, goes to the suspended queue. */
#include "queues.h"
/*@ requires valid_queues;
    requires FIRST <= running < TAILS && q[running].used > 0; */
/*@ ensures valid_queues; */                        //@ PROVED
/*@ ensures \result == 0; */                        //@ RESIDUAL!
int stop(unsigned running, unsigned id) {
    unsigned node = running;
    if (q[running].id != id) {
        unsigned pre = READY;
        node = q[pre].next;
        for (int n = 0; n < NODES; n++) {
            if (q[node].id == NOBODY || q[node].id == id) break;   //@ PROVED bounds
            pre = node;
            node = q[pre].next;                     //@ PROVED bounds
        }
        if (q[node].id != id) return -1;
        q[pre].next = q[node].next;                 //@ PROVED bounds
    }
    q[node].next = q[SUSPENDED].next;               //@ PROVED bounds
    q[SUSPENDED].next = node;
    return 0;
}
int main(void) { return 0; }
