/* System calls. Everything that comes from a process is checked here or further on. */
#include "kernel.h"

#define MAX_SUM 64

typedef int (*call)(struct proc *p, const struct request *r);

/* What a process may know of another one. */
struct report {
    int pid;
    int state;
    u32 milliseconds;
    u32 share;
    char name[NAME_LEN];
};

/* Copies a name out of the memory of a process. */
static int user_name(const struct proc *p, int address, char name[NAME_LEN])
{
    if (user_read(p, (u32)address, name, NAME_LEN) < 0)
        return E_FAULT;
    name[NAME_LEN - 1] = '\0';
    return 0;
}

/* A length that a process has given, or an error. */
static int user_length(int n)
{
    return n < 0 || n > MAX_LOAN ? E_ARG : n;
}

static int do_yield(struct proc *p, const struct request *r)
{
    (void)r;
    p->quantum = 0;
    return 0;
}

static int do_fork(struct proc *p, const struct request *r)
{
    (void)r;
    return proc_fork(p);
}

static int do_exit(struct proc *p, const struct request *r)
{
    proc_exit(p, r->a & 0xff);
    return 0;
}

static int do_kill(struct proc *p, const struct request *r)
{
    struct proc *victim = proc_find(r->a);

    if (victim == NULL || victim->state == ZOMBIE)
        return E_NONE;
    if (victim->parent != proc_slot(p) && victim != p)
        return E_CALL;
    proc_exit(victim, r->b & 0xff);
    return 0;
}

static int do_wait(struct proc *p, const struct request *r)
{
    (void)r;
    return proc_wait(p);
}

static int do_exec(struct proc *p, const struct request *r)
{
    char name[NAME_LEN];

    if (user_name(p, r->a, name) < 0)
        return E_FAULT;
    return proc_exec(p, name);
}

static int do_schedule(struct proc *p, const struct request *r)
{
    struct proc *other = proc_find(r->a);

    if (other == NULL)
        return E_NONE;
    if (r->c == 0)
        return proc_priority(other, r->b);
    return other == p ? proc_weight(other, r->b) : E_CALL;
}

static int do_send(struct proc *p, const struct request *r)
{
    struct proc *to = proc_find(r->a);
    struct message m;

    if (to == NULL)
        return E_NONE;
    if (user_read(p, (u32)r->b, &m, sizeof m) < 0)
        return E_FAULT;
    m.source = p->pid;
    if (to == &k.tab[IDLE])
        return message_handle(&m);
    return message_send(p, to, &m);
}

static int do_receive(struct proc *p, const struct request *r)
{
    struct message m;
    int result;

    memset(&m, 0, sizeof m);
    result = message_receive(p, &m);
    if (result == 0 && user_write(p, (u32)r->a, &m, sizeof m) < 0)
        return E_FAULT;
    return result;
}

static int do_note(struct proc *p, const struct request *r)
{
    struct proc *to = proc_find(r->a);

    return to == NULL ? E_NONE : message_note(p, to);
}

static int do_alarm(struct proc *p, const struct request *r)
{
    int result;

    if (p == &k.tab[IDLE] || r->a < 0 || r->b < 0 || r->b > 0xffff)
        return E_ARG;
    result = timer_start(p, (u32)r->a, (u16)r->b);
    if (result >= 0 && r->b == 0)
        proc_block(p, SLEEPING);
    return result;
}

static int do_open(struct proc *p, const struct request *r)
{
    char name[NAME_LEN];

    if (user_name(p, r->a, name) < 0)
        return E_FAULT;
    return file_open(p, name, r->b);
}

static int do_close(struct proc *p, const struct request *r)
{
    return file_close(p, r->a);
}

static int do_read(struct proc *p, const struct request *r)
{
    int n = user_length(r->c);

    return n < 0 ? n : file_read(p, r->a, (u32)r->b, (u32)n);
}

static int do_write(struct proc *p, const struct request *r)
{
    int n = user_length(r->c);

    return n < 0 ? n : file_write(p, r->a, (u32)r->b, (u32)n);
}

static int do_seek(struct proc *p, const struct request *r)
{
    return r->c == 1 ? file_duplicate(p, r->a) : file_seek(p, r->a, r->b);
}

/* A pipe: 0 opens one, 1 writes, 2 reads, 3 closes. */
static int do_pipe(struct proc *p, const struct request *r)
{
    u32 n = (u32)r->a >> 2;
    u32 len = (u32)r->c % PAGE_SIZE;

    switch (r->a & 3) {
    case 0:
        return pipe_open();
    case 1:
        return pipe_write(n, p, (u32)r->b, len);
    case 2:
        return pipe_read(n, p, (u32)r->b, len);
    default:
        return pipe_close(n);
    }
}

static int do_grow(struct proc *p, const struct request *r)
{
    if (r->a <= 0)
        return E_ARG;
    return memory_grow(p, (u32)r->a);
}

static int do_line(struct proc *p, const struct request *r)
{
    int n = user_length(r->b);

    return n < 0 ? n : tty_read(p, (u32)r->a, (u32)n);
}

static int do_irq(struct proc *p, const struct request *r)
{
    if (r->b == 0)
        return irq_hook((u32)r->a, (u8)proc_slot(p));
    return irq_mask((u32)r->a, r->b > 1);
}

/* Tells about a process, as bytes in the memory of the caller. */
static int do_info(struct proc *p, const struct request *r)
{
    const struct proc *other = proc_find(r->a);
    struct report report;

    if (other == NULL)
        return E_NONE;
    report.pid = other->pid;
    report.state = other->state;
    report.milliseconds = clock_milliseconds(other->account.ticks);
    report.share = other->account.share;
    name_copy(report.name, other->name);
    if (user_write(p, (u32)r->b, &report, sizeof report) < 0)
        return E_FAULT;
    return (int)other->account.calls / (other->account.weight + 1);
}

/* The sum of some bytes, by their number. */
static int do_sum(struct proc *p, const struct request *r)
{
    u8 bytes[MAX_SUM];
    int n = r->b;
    u32 sum;

    if (n <= 0 || n > MAX_SUM)
        return E_ARG;
    if (user_read(p, (u32)r->a, bytes, (u32)n) < 0)
        return E_FAULT;
    sum = bytes_sum(bytes, (u32)n);
    if (r->c)
        sum = word_swap(sum) >> 16;
    return (int)(sum / (u32)n);
}

static int do_clock(struct proc *p, const struct request *r)
{
    (void)p;
    if (r->b == 1)
        return clock_hertz(r->a);
    return (int)(clock_busy((u32)r->a) & 0xffff);
}

static const struct {
    call function;
    u8 needs; /* 1: only for the children of the idle process */
} calls[] = {
    {do_yield, 0}, {do_fork, 0},    {do_exit, 0}, {do_kill, 0}, {do_wait, 0},  {do_exec, 0},
    {do_send, 0},  {do_receive, 0}, {do_note, 0}, {do_open, 0}, {do_close, 0}, {do_read, 0},
    {do_write, 0}, {do_seek, 0},    {do_pipe, 0}, {do_grow, 0}, {do_line, 0},  {do_alarm, 0},
    {do_info, 0},  {do_sum, 0},     {do_irq, 1},  {do_clock, 1}, {do_schedule, 1},
};

#define NCALL (sizeof calls / sizeof calls[0])

int system_call(struct proc *p, const struct request *r)
{
    if (r->number < 0 || (u32)r->number >= NCALL)
        return E_CALL;
    if (calls[r->number].needs && p->parent != IDLE)
        return E_CALL;
    p->account.calls++;
    return calls[r->number].function(p, r);
}
