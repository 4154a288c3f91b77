/* The run queues: one for each priority, linked through the process table. */
#include "kernel.h"

void queue_init(void)
{
    for (int q = 0; q < NPRIO; q++) {
        k.head[q] = NULL;
        k.tail[q] = &k.head[q];
    }
}

/* Puts a process at the end of its queue. */
void queue_put(struct proc *p)
{
    int q = p->priority;

    p->next = NULL;
    *k.tail[q] = p;
    k.tail[q] = &p->next;
}

/* Takes a process out of its queue, wherever it stands. */
void queue_remove(struct proc *p)
{
    struct proc **link = &k.head[p->priority];

    while (*link != NULL) {
        if (*link == p) {
            if (k.tail[p->priority] == &p->next)
                k.tail[p->priority] = link;
            *link = p->next;
            p->next = NULL;
            return;
        }
        link = &(*link)->next;
    }
}

/* The process that should run: the first one of the first queue that is not empty. */
struct proc *queue_pick(void)
{
    for (int q = 0; q < NPRIO; q++) {
        struct proc *p = k.head[q];

        if (p != NULL)
            return p;
    }
    return &k.tab[IDLE];
}

/* Moves the first process of a queue to its end. */
void queue_rotate(u32 priority)
{
    struct proc *p;

    if (priority >= NPRIO)
        return;
    p = k.head[priority];
    if (p == NULL || p->next == NULL)
        return;
    k.head[priority] = p->next;
    p->next = NULL;
    *k.tail[priority] = p;
    k.tail[priority] = &p->next;
}

u32 queue_length(u32 priority)
{
    u32 n = 0;

    for (struct proc *p = k.head[priority % NPRIO]; p != NULL && n < NPROC; p = p->next)
        n++;
    return n;
}
