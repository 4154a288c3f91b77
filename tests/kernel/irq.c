/* Interrupts: a handler for each line. */
#include "kernel.h"

static int ignore(u32 line, u8 owner)
{
    (void)line;
    (void)owner;
    return 0;
}

/* Tells the owner of the handler. */
static int tell(u32 line, u8 owner)
{
    struct proc *p = &k.tab[owner];

    k.irq.count[line]++;
    if (p->state == FREE)
        return 0;
    return message_note(&k.tab[IDLE], p) == 0;
}

/* Wakes those that sleep, in the fashion of a device that many share. */
static int wake_all(u32 line, u8 owner)
{
    u32 woken = 0;

    for (u32 i = owner; i < NPROC; i++) {
        if (k.tab[i].state == SLEEPING) {
            proc_ready(&k.tab[i]);
            woken++;
        }
    }
    k.irq.count[line] += (u16)woken;
    return woken > 0;
}

static const irq_handler drivers[4] = {ignore, tell, wake_all, tell};

void irq_init(void)
{
    struct interrupts *q = &k.irq;

    for (int line = 0; line < NIRQ; line++) {
        q->handler[line] = ignore;
        q->owner[line] = IDLE;
    }
    q->masked = 0xf0;
}

/* Gives a process a line that nobody has. */
int irq_hook(u32 line, u8 owner)
{
    struct interrupts *q = &k.irq;

    if (line >= NIRQ)
        return E_ARG;
    if (q->owner[line] != IDLE)
        return E_FULL;
    q->handler[line] = drivers[line & 3];
    q->owner[line] = owner;
    return 0;
}

/* Takes all lines from a process. */
void irq_unhook(u8 owner)
{
    for (int line = 0; line < NIRQ; line++) {
        if (k.irq.owner[line] == owner) {
            k.irq.owner[line] = IDLE;
            k.irq.handler[line] = ignore;
        }
    }
}

/* Calls the handler of a line. One that is masked waits. */
void irq_enter(u32 line)
{
    struct interrupts *q = &k.irq;

    if (line >= NIRQ)
        return;
    if (q->masked >> line & 1)
        q->waiting |= (u8)(1u << line);
    else if (!q->handler[line](line, q->owner[line]))
        q->spurious++;
}

/* Masks a line, or lets it through and makes up for what has waited. */
int irq_mask(u32 line, int masked)
{
    u8 bit;

    if (line >= NIRQ)
        return E_ARG;
    bit = (u8)(1u << line);
    if (masked) {
        k.irq.masked |= bit;
        return 0;
    }
    k.irq.masked &= (u8)~bit;
    if (k.irq.waiting & bit) {
        k.irq.waiting &= (u8)~bit;
        irq_enter(line);
        return 1;
    }
    return 0;
}
