// A queue of jobs; a job is freed when it has been run.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct job {
    int id, cost;
    struct job *next;
};

struct queue {
    struct job *first, *last;
};

static void enqueue(struct queue *q, int id, int cost) {
    struct job *j = malloc(sizeof *j);
    if (!j) exit(1);
    j->id = id;
    j->cost = cost;
    j->next = NULL;
    if (q->last) q->last->next = j; // fails: lifetime
    else q->first = j;
    q->last = j;
}

static int run_first(struct queue *q) {
    struct job *j = q->first;
    if (!j) return 0;
    int cost = j->cost;
    q->first = j->next;
#ifndef BROKEN
    if (!q->first) q->last = NULL;
#endif
    free(j);
    return cost;
}

int main(void) {
    struct queue q = {NULL, NULL};
    int busy = 0;
    for (int i = 0; i < 12; i++) {
        if (__VERIFIER_nondet_int() > 0) enqueue(&q, i, i % 3);
        else busy += run_first(&q);
    }
    while (q.first) busy += run_first(&q);
    return busy > 5;
}
