/* The clock: ticks, timers and the use of time. */
#include "kernel.h"

static const u8 slices[NPRIO] = {8, 6, 4, 2};

static void wake(struct proc *p)
{
    if (p->state == SLEEPING)
        proc_ready(p);
}

static void remind(struct proc *p)
{
    message_note(&k.tab[IDLE], p);
}

static void nothing(struct proc *p)
{
    (void)p;
}

/* All timers are spare. */
void clock_init(void)
{
    struct clock *c = &k.clock;

    for (int i = 0; i < NTIMER; i++) {
        c->timer[i].action = nothing;
        c->timer[i].owner = IDLE;
        c->timer[i].left = 0;
    }
    c->hertz = 60;
    for (int q = 0; q < NPRIO; q++)
        c->slice[q] = slices[q];
}

/* Starts a timer. Without a period it wakes the process once, otherwise it sends notes. */
int timer_start(struct proc *p, u32 delay, u16 period)
{
    struct clock *c = &k.clock;
    int n = 0;

    while (n < NTIMER && c->timer[n].left > 0)
        n++;
    if (n == NTIMER)
        return E_FULL;
    c->timer[n].owner = (u8)proc_slot(p);
    c->timer[n].left = delay;
    c->timer[n].period = period;
    c->timer[n].action = period == 0 ? wake : remind;
    return n;
}

/* Stops all timers of a process. */
void timer_cancel(struct proc *p)
{
    struct timer *t = k.clock.timer, *end = t + NTIMER;
    u32 slot = proc_slot(p);

    while (t < end) {
        if (t->owner == slot) {
            t->action = nothing;
            t->left = 0;
        }
        t++;
    }
}

/* One tick of all timers. */
static void timer_tick(void)
{
    struct clock *c = &k.clock;

    for (struct timer *t = c->timer; t < c->timer + NTIMER; t++) {
        if (t->left == 0 || --t->left > 0)
            continue;
        t->action(&k.tab[t->owner]);
        t->left = t->period;
    }
}

void clock_tick(void)
{
    struct clock *c = &k.clock;
    struct proc *p = k.current;

    c->ticks++;
    p->account.ticks++;
    if (p == &k.tab[IDLE])
        c->lost++;
    c->profile[(p->pc >> 4) % NPROFILE]++;
    if (p->quantum > 0)
        p->quantum--;
    timer_tick();
    if (c->ticks % c->hertz == 0) {
        c->load = (c->load * 3 + queue_length(1)) / 4;
        proc_shares();
    }
    p->pc += 4;
}

int clock_hertz(int hertz)
{
    if (hertz < MIN_HERTZ || hertz > MAX_HERTZ)
        return E_ARG;
    k.clock.hertz = (u16)hertz;
    return 0;
}

u32 clock_milliseconds(u32 ticks)
{
    return ticks / k.clock.hertz * 1000 + ticks % k.clock.hertz * 1000 / k.clock.hertz;
}

/* How many slices of a priority are in a number of ticks. */
static u32 clock_slices(u32 ticks, u32 priority)
{
    return ticks / k.clock.slice[priority & (NPRIO - 1)];
}

/* Per cent of the time in which something useful ran, or slices of a process. */
u32 clock_busy(u32 part)
{
    const struct clock *c = &k.clock;

    if (part == 0)
        return c->ticks == 0 ? 0 : (c->ticks - c->lost) % 1000000 * 100 / c->ticks;
    return clock_slices(k.tab[part % NPROC].account.ticks, part / NPROC);
}
