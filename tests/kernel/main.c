/* Boots the kernel. Then one event after the other happens: calls, ticks, interrupts, keys. */
#include "kernel.h"

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

#define MAX_EVENTS 20000

enum event { EVENT_TICK, EVENT_IRQ, EVENT_KEY, EVENT_STORE, EVENT_HALT, EVENT_CALL };

struct kernel k;

static void boot(void)
{
    memory_init();
    clock_init();
    queue_init();
    file_init();
    irq_init();
    tty_init();
    proc_init();
    proc_schedule();
}

/* The current process stores a byte into its memory. */
static void store(void)
{
    unsigned char byte = __VERIFIER_nondet_uchar();

    user_write(k.current, __VERIFIER_nondet_ushort(), &byte, 1);
}

/* The current process calls the kernel. */
static void call(void)
{
    struct proc *p = k.current;
    struct request r;
    int result;

    r.number = __VERIFIER_nondet_int();
    r.a = __VERIFIER_nondet_int();
    r.b = __VERIFIER_nondet_int();
    r.c = __VERIFIER_nondet_int();
    result = system_call(p, &r);
    if (p->state != ZOMBIE && p->state != FREE)
        p->result = result;
    k.current->pc++;
}

static void event(unsigned char what)
{
    switch (what) {
    case EVENT_TICK:
        clock_tick();
        break;
    case EVENT_IRQ:
        irq_enter(__VERIFIER_nondet_uint());
        break;
    case EVENT_KEY:
        tty_key(__VERIFIER_nondet_uchar());
        break;
    case EVENT_STORE:
        store();
        break;
    case EVENT_HALT:
        file_sync();
        k.halted = __VERIFIER_nondet_int() == 1000;
        break;
    default:
        call();
        break;
    }
}

int main(void)
{
    boot();
    for (int n = 0; n < MAX_EVENTS && !k.halted; n++) {
        event(__VERIFIER_nondet_uchar());
        proc_schedule();
    }
    return 0;
}
