/* The process table: birth, death and scheduling of processes. */
#include "kernel.h"

/* The slot of a process in the table. */
u32 proc_slot(const struct proc *p)
{
    return (u32)(p - k.tab);
}

/* A number that no process has had for long: a new generation of its slot. */
static int proc_new_pid(u32 slot)
{
    k.generation = (k.generation + 1) % GENERATIONS;
    return k.generation * NPROC + (int)slot;
}

/* What is in a free slot. */
static const struct proc blank = {
    .state = FREE,
    .priority = NPRIO - 1,
    .account = {.weight = 1},
    .handle = {NIL, NIL, NIL, NIL},
};

static void proc_clear(struct proc *p)
{
    *p = blank;
}

void proc_init(void)
{
    struct proc *p;

    for (p = k.tab; p < k.tab + NPROC; p++)
        proc_clear(p);
    p = &k.tab[IDLE];
    name_copy(p->name, "idle");
    p->state = READY;
    p->quantum = 1;
    k.current = p;
    queue_put(p);

    p = &k.tab[INIT];
    p->pid = proc_new_pid(INIT);
    name_copy(p->name, "init");
    p->state = READY;
    p->priority = 1;
    p->quantum = 1;
    p->seg[SEG_DATA].len = 4;
    p->seg[SEG_DATA].base = (u16)memory_take(4);
    p->seg[SEG_STACK].len = 2;
    p->seg[SEG_STACK].base = (u16)memory_take(2);
    name_copy((char *)&core[p->seg[SEG_DATA].base * CLICK_SIZE], "shell");
    queue_put(p);
}

/* The process with a number, or NULL. */
struct proc *proc_find(int pid)
{
    struct proc *p;

    if (pid < 0)
        return NULL;
    p = &k.tab[pid % NPROC];
    if (p->state == FREE || p->pid != pid)
        return NULL;
    return p;
}

void proc_ready(struct proc *p)
{
    if (p->state == READY || p->state == FREE || p->state == ZOMBIE)
        return;
    p->state = READY;
    queue_put(p);
}

/* Takes a process from its queue until something happens. The idle process never waits. */
void proc_block(struct proc *p, enum state state)
{
    if (p->state != READY || p == &k.tab[IDLE])
        return;
    queue_remove(p);
    p->state = state;
}

static struct proc *proc_free_slot(void)
{
    for (struct proc *p = &k.tab[1]; p < &k.tab[NPROC]; p++) {
        if (p->state == FREE)
            return p;
    }
    return NULL;
}

/* Gives the child a copy of the parent's memory. */
static int proc_copy_core(struct proc *child, const struct proc *p)
{
    for (int s = 0; s < NSEG; s++) {
        u32 len = p->seg[s].len;
        u32 from = p->seg[s].base;
        int base = memory_take(len);

        if (base < 0) {
            while (s-- > 0)
                memory_give(child->seg[s].base, child->seg[s].len);
            return E_MEM;
        }
        child->seg[s].base = (u16)base;
        child->seg[s].len = (u16)len;
        for (u32 click = 0; click < len; click++)
            click_copy((u32)base + click, from + click);
    }
    return 0;
}

/* Makes a copy of a process. Returns the number of the child. */
int proc_fork(struct proc *p)
{
    struct proc *child = proc_free_slot();
    u32 slot;

    if (child == NULL)
        return E_FULL;
    if (p == &k.tab[IDLE])
        return E_CALL;
    slot = proc_slot(child);
    *child = *p;
    child->state = WAITING;
    child->next = child->senders = child->sibling = NULL;
    if (proc_copy_core(child, p) < 0) {
        proc_clear(child);
        return E_MEM;
    }
    child->pid = proc_new_pid(slot);
    child->parent = (u8)proc_slot(p);
    child->notes = 0;
    child->account.ticks = child->account.calls = 0;
    child->quantum = k.clock.slice[child->priority];
    box_clear(&child->box);
    file_share(child);
    proc_ready(child);
    return child->pid;
}

/* Ends a process. What is left of it waits for its parent. The first two processes never end. */
void proc_exit(struct proc *p, int result)
{
    u32 slot = proc_slot(p);

    if (slot == IDLE || slot == INIT)
        return;
    if (p->state == READY)
        queue_remove(p);
    timer_cancel(p);
    irq_unhook((u8)slot);
    message_abandon(p);
    for (int h = 0; h < NHANDLE; h++)
        file_close(p, h);
    for (int s = 0; s < NSEG; s++) {
        memory_give(p->seg[s].base, p->seg[s].len);
        p->seg[s].base = p->seg[s].len = 0;
    }
    p->state = ZOMBIE;
    p->result = result;
    for (u32 i = 1; i < NPROC; i++) {
        if (k.tab[i].state != FREE && k.tab[i].parent == slot)
            k.tab[i].parent = IDLE;
    }
    if (p->parent == IDLE)
        proc_clear(p);
    else if (k.tab[p->parent].state == WAITING)
        proc_ready(&k.tab[p->parent]);
}

/* Buries a dead child. Returns its result. */
int proc_wait(struct proc *p)
{
    u32 slot = proc_slot(p);
    int children = 0;

    for (u32 i = 1; i < NPROC; i++) {
        struct proc *child = &k.tab[i];

        if (child->state == FREE || child->parent != slot)
            continue;
        children++;
        if (child->state == ZOMBIE) {
            int result = child->result;

            proc_clear(child);
            return result;
        }
    }
    if (children == 0)
        return E_NONE;
    proc_block(p, WAITING);
    return E_AGAIN;
}

/* Runs the program in a file. Its head is not to be trusted. */
int proc_exec(struct proc *p, const char *name)
{
    struct image head;
    int h, n;

    if (p == &k.tab[IDLE])
        return E_CALL;
    h = file_open(p, name, MODE_READ);
    if (h < 0)
        return h;
    if (file_peek(p, h, &head) < 0 || head.magic != IMAGE_MAGIC || head.weight == 0 ||
        head.weight > MAX_WEIGHT || head.entry >= head.size) {
        file_close(p, h);
        return E_ARG;
    }
    n = file_read(p, h, 0, head.size);
    file_close(p, h);
    if (n < 0)
        return n;
    p->pc = head.entry;
    p->account.weight = (u8)head.weight;
    name_copy(p->name, name);
    box_clear(&p->box);
    return n;
}

int proc_priority(struct proc *p, int priority)
{
    if (priority < 0 || priority >= NPRIO || p == &k.tab[IDLE])
        return E_ARG;
    if (p->state == READY) {
        queue_remove(p);
        p->priority = (u8)priority;
        queue_put(p);
    } else {
        p->priority = (u8)priority;
    }
    return 0;
}

int proc_weight(struct proc *p, int weight)
{
    if (weight < 1 || weight > MAX_WEIGHT)
        return E_ARG;
    p->account.weight = (u8)weight;
    return p->account.share;
}

/* The share of each process in the weight of all. The idle process always counts. */
void proc_shares(void)
{
    u32 total = k.tab[IDLE].account.weight;

    for (u32 i = 1; i < NPROC; i++) {
        if (k.tab[i].state != FREE)
            total += k.tab[i].account.weight;
    }
    for (struct proc *p = k.tab; p < k.tab + NPROC; p++)
        p->account.share = (u8)(p->account.weight * 100u / total);
}

/* Chooses the process that runs next. One that has used up its time goes to the end. */
void proc_schedule(void)
{
    struct proc *p = k.current;

    if (p->state == READY && p->quantum == 0) {
        p->quantum = k.clock.slice[p->priority];
        queue_rotate(p->priority);
    }
    k.current = queue_pick();
}
