// The tasks of a small embedded system: four queues in one table, linked by index. A node that is in use is linked to one that is
// in use, in whatever order they lie. `smalti check --function create examples/tasks.c` proves that a function keeps it so; without
// `--function`, main is analysed with all it calls.
extern int __VERIFIER_nondet_int(void);

#define NODES      32
#define FIRST      4                      /* nodes before it are the heads of queues */
#define END        (NODES - 4)            /* nodes from it on are their tails */
#define TAIL(head) (NODES - 1 - (head))

enum { DORMANT, READY, DELAYED, SUSPENDED };

struct node {
    int used;
    int next;                             /* index of the node behind it; a tail is linked to its head */
    int task;                             /* which task it is; 0 for heads and tails */
    int priority;
};

struct node nodes[NODES];

/*@ predicate linked(integer n) = 0 <= nodes[n].next < NODES && nodes[nodes[n].next].used > 0;

    predicate valid_queues =
        (\forall integer n; 0 <= n < NODES && nodes[n].used > 0 ==> linked(n))
     && (\forall integer n; 0 <= n < FIRST ==> nodes[n].used > 0)
     && (\forall integer n; END <= n < NODES ==> nodes[n].used > 0);
*/

static void make_empty(int head) {
    int tail = TAIL(head);
    nodes[head].used = nodes[tail].used = 1;
    nodes[head].task = nodes[tail].task = 0;
    nodes[head].next = tail;
    nodes[tail].next = head;
}

/* All queues are empty. */
/*@ ensures valid_queues; */
void set_up(void) {
    for (int n = 0; n < NODES; n++) {
        nodes[n].used = 0;
    }
    make_empty(DORMANT);
    make_empty(READY);
    make_empty(DELAYED);
    make_empty(SUSPENDED);
}

/* A new task, which is dormant: its node, or -1 if there is none left. */
/*@ requires valid_queues;
    ensures valid_queues;
    ensures \result == -1 || FIRST <= \result < END && nodes[\result].used > 0;
*/
int create(int task, int priority) {
    int n;
    for (n = FIRST; n < END; n++) {
        if (nodes[n].used == 0) break;
    }
    if (n == END) return -1;
    nodes[n].task = task;
    nodes[n].priority = priority;
    nodes[n].next = nodes[DORMANT].next;
    nodes[n].used = 1;
    nodes[DORMANT].next = n;
    return n;
}

/* The task leaves one queue and joins another, behind those that are at least as urgent. 0 if it is there, else -1. */
/*@ requires valid_queues;
    requires 0 <= from < FIRST && 0 <= to < FIRST && task > 0;
    ensures valid_queues;
*/
int move(int task, int from, int to) {
    int before = from;
    int n = nodes[before].next;
    while (nodes[n].task > 0 && nodes[n].task != task) {
        before = n;
        n = nodes[n].next;
    }
    if (nodes[n].task != task) return -1;
    nodes[before].next = nodes[n].next;

    before = to;
    int behind = nodes[before].next;
    while (nodes[behind].task > 0 && nodes[behind].priority >= nodes[n].priority) {
        before = behind;
        behind = nodes[behind].next;
    }
    nodes[n].next = behind;
    nodes[before].next = n;
    return 0;
}

/* The task that is to run: the first one that is ready, or 0. */
/*@ requires valid_queues; */
int first_ready(void) {
    return nodes[nodes[READY].next].task;
}

int main(void) {
    set_up();
    while (__VERIFIER_nondet_int()) {
        create(1, __VERIFIER_nondet_int());
        move(1, DORMANT, READY);
    }
    return first_ready();
}
