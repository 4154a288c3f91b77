// smalti: --stages domains --stack relation/partition/octagon --function create --checks assertion,bounds
/* A free node joins the dormant queue, after its head. */
#include "queues.h"
/*@ requires valid_queues; */
/*@ ensures valid_queues; */                        //@ PROVED
/*@ ensures \result == -1 || q[\result].used == 1; */   //@ PROVED
/*@ ensures \result == FIRST; */                    //@ RESIDUAL!
int create(unsigned id, unsigned handler) {
    unsigned node;
    for (node = FIRST; node < TAILS; node++) {
        if (q[node].used == 0) break;               //@ PROVED bounds
    }
    if (node == TAILS) return -1;
    q[node].id = id;
    q[node].handler = handler;
    q[node].next = q[DORMANT].next;                 //@ PROVED bounds
    q[node].used = 1;
    q[DORMANT].next = node;
    return (int)node;
}
int main(void) { return 0; }
