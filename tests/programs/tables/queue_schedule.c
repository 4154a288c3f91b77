// smalti: --stages domains --stack relation/partition/octagon --function schedule --checks assertion,bounds
/* The first task that is ready runs if it is the more urgent one; the one that ran is queued by its urgency. */
#include "queues.h"
/*@ requires valid_queues;
    requires FIRST <= running < TAILS && q[running].used > 0; */
/*@ ensures valid_queues; */                        //@ PROVED
/*@ ensures 0 <= \result < NODES && q[\result].used > 0; */   //@ PROVED
/*@ ensures \result == \old(running); */            //@ RESIDUAL!
unsigned schedule(unsigned running) {
    unsigned first = q[READY].next;
    if (q[first].handler <= q[running].handler) return running;   //@ PROVED bounds
    unsigned pre = READY;
    unsigned cur = first;
    while (q[cur].id != NOBODY && q[cur].handler > q[running].handler) {   //@ PROVED bounds
        pre = cur;
        cur = q[cur].next;                          //@ PROVED bounds
    }
    q[running].next = cur;
    q[pre].next = running;                          //@ PROVED bounds
    q[READY].next = q[first].next;                  //@ PROVED bounds
    return first;
}
int main(void) { return 0; }
