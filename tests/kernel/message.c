/* Messages between processes. Each process has a box. Who finds it full waits. */
#include "kernel.h"

void box_clear(struct mailbox *box)
{
    bytes_fill(box, 0, sizeof *box);
}

int box_put(struct mailbox *box, const struct message *m)
{
    if (box->count == BOX_SLOTS)
        return E_FULL;
    box->slot[box->in] = *m;
    box->in = (u8)((box->in + 1) % BOX_SLOTS);
    box->count++;
    return 0;
}

int box_take(struct mailbox *box, struct message *m)
{
    u8 out = box->out;

    if (box->count == 0)
        return E_NONE;
    *m = box->slot[out++];
    if (out == BOX_SLOTS)
        out = 0;
    box->out = out;
    box->count--;
    return 0;
}

/* Sends a message. If the box is full, the sender waits in line. */
int message_send(struct proc *p, struct proc *to, const struct message *m)
{
    struct proc *last = to->senders, *next;

    if (to->state == ZOMBIE || to == p)
        return E_ARG;
    if (box_put(&to->box, m) == 0) {
        if (to->state == RECEIVING)
            proc_ready(to);
        return 0;
    }
    if (p == &k.tab[IDLE] || p->state != READY)
        return E_FULL;
    p->letter = *m;
    p->peer = (u8)proc_slot(to);
    p->sibling = NULL;
    if (last == NULL) {
        to->senders = p;
    } else {
        while ((next = last->sibling) != NULL)
            last = next;
        last->sibling = p;
    }
    proc_block(p, SENDING);
    return E_AGAIN;
}

/* A message for each note: bit n of the notes is a note from slot n. */
static int message_of_notes(struct proc *p, struct message *m)
{
    u32 slot = 0;

    while (slot < NPROC && !(p->notes >> slot & 1))
        slot++;
    if (slot == NPROC)
        return E_NONE;
    p->notes &= (u8)~(1u << slot);
    m->source = k.tab[slot].pid;
    m->kind = KIND_SIGNAL;
    m->body.number.first = (int)slot;
    m->body.number.second = k.tab[slot].result;
    return 0;
}

/* Takes the next message. If there is none, the receiver waits. */
int message_receive(struct proc *p, struct message *m)
{
    struct proc *sender = p->senders;

    if (message_of_notes(p, m) == 0)
        return 0;
    if (box_take(&p->box, m) < 0) {
        proc_block(p, RECEIVING);
        return E_AGAIN;
    }
    if (sender != NULL) {
        p->senders = sender->sibling;
        sender->sibling = NULL;
        box_put(&p->box, &sender->letter);
        proc_ready(sender);
    }
    return 0;
}

int message_note(struct proc *p, struct proc *to)
{
    if (to->state == ZOMBIE)
        return E_ARG;
    to->notes |= (u8)(1u << proc_slot(p));
    if (to->state == RECEIVING)
        proc_ready(to);
    return 0;
}

/* Takes a process out of the line in which it waits to send. */
static void message_withdraw(struct proc *p)
{
    struct proc *to = &k.tab[p->peer];
    struct proc *before = NULL, *at = to->senders;

    while (at != NULL && at != p) {
        before = at;
        at = at->sibling;
    }
    if (before == NULL)
        to->senders = p->sibling;
    else
        before->sibling = p->sibling;
    p->sibling = NULL;
}

/* Frees those that wait to send to a dying process. It does not wait in line either. */
void message_abandon(struct proc *p)
{
    struct proc *sender = p->senders;

    while (sender != NULL) {
        struct proc *next = sender->sibling;

        sender->sibling = NULL;
        sender->result = E_NONE;
        proc_ready(sender);
        sender = next;
    }
    p->senders = NULL;
    if (p->state == SENDING)
        message_withdraw(p);
}

/* What the kernel does with a message that is meant for itself. */
int message_handle(const struct message *m)
{
    switch (m->kind) {
    case KIND_NUMBER:
        if (m->body.number.second <= 0)
            return E_ARG;
        return m->body.number.first % m->body.number.second;
    case KIND_TEXT: {
        char text[sizeof m->body.text.text + 1];
        u32 n = m->body.text.length;

        if (n > sizeof m->body.text.text)
            return E_ARG;
        memcpy(text, m->body.text.text, n);
        text[n] = '\0';
        return (int)strlen(text);
    }
    case KIND_DEVICE:
        if (m->body.device.line >= NIRQ || m->body.device.count == 0)
            return E_ARG;
        return k.irq.count[m->body.device.line] / m->body.device.count;
    default:
        return E_NONE;
    }
}
