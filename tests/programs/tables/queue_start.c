// smalti: --stages domains --stack relation/partition/octagon --function start --checks assertion,bounds
/* A task is looked for in the dormant queue, taken out, and put at the end of the ready queue. */
#include "queues.h"
/*@ requires valid_queues; */
/*@ ensures valid_queues; */                        //@ PROVED
/*@ ensures \result == 0; */                        //@ RESIDUAL!
int start(unsigned id) {
    unsigned pre = DORMANT;
    unsigned cur = q[pre].next;
    while (q[cur].id != NOBODY && q[cur].id != id) {   //@ PROVED bounds
        pre = cur;
        cur = q[cur].next;                          //@ PROVED bounds
    }
    if (q[cur].id == NOBODY) return -1;
    unsigned node = cur;
    q[pre].next = q[node].next;                     //@ PROVED bounds
    pre = READY;
    cur = q[pre].next;
    while (q[cur].id != NOBODY) {                   //@ PROVED bounds
        pre = cur;
        cur = q[cur].next;                          //@ PROVED bounds
    }
    q[node].next = cur;
    q[pre].next = node;                             //@ PROVED bounds
    return 0;
}
int main(void) { return 0; }
