/* Memory: holes in the core, memory of processes, and pages for pipes. */
#include "kernel.h"

u8 core[CORE_SIZE];
static u8 pool[NPAGE][PAGE_SIZE];

/* One hole that is as large as the core. The other entries of the table are spare. */
void memory_init(void)
{
    struct memory *m = &k.memory;

    for (int i = 0; i < NHOLE - 1; i++)
        m->hole[i].next = (short)(i + 1);
    m->hole[NHOLE - 1].next = NIL;
    m->hole[0].base = 0;
    m->hole[0].len = NCLICK;
    m->first = 0;
    m->spare = m->hole[0].next;
    m->hole[0].next = NIL;
}

/* Takes clicks from the first hole that is large enough. Returns where they begin. */
int memory_take(u32 len)
{
    struct memory *m = &k.memory;
    short before = NIL, at = m->first;

    if (len == 0)
        return 0;
    while (at != NIL) {
        struct hole *h = &m->hole[at];

        if (h->len >= len) {
            int base = h->base;

            h->base += (u16)len;
            h->len -= (u16)len;
            if (h->len == 0) {
                if (before == NIL)
                    m->first = h->next;
                else
                    m->hole[before].next = h->next;
                h->next = m->spare;
                m->spare = at;
            }
            return base;
        }
        before = at;
        at = h->next;
    }
    return E_MEM;
}

/* Joins a hole with its successor if they touch. */
static void hole_join(short n)
{
    struct memory *m = &k.memory;
    short after;

    if (n == NIL)
        return;
    after = m->hole[n].next;
    if (after == NIL || m->hole[n].base + m->hole[n].len != m->hole[after].base)
        return;
    m->hole[n].len += m->hole[after].len;
    m->hole[n].next = m->hole[after].next;
    m->hole[after].next = m->spare;
    m->spare = after;
}

/* Gives clicks back. The holes are in the order of their places. */
int memory_give(u32 base, u32 len)
{
    struct memory *m = &k.memory;
    short before = NIL, n = m->spare;
    short at = m->first;

    if (len == 0)
        return 0;
    if (n == NIL)
        return E_FULL;
    m->spare = m->hole[n].next;
    m->hole[n].base = (u16)base;
    m->hole[n].len = (u16)len;
    while (at != NIL && m->hole[at].base < base) {
        before = at;
        at = m->hole[at].next;
    }
    m->hole[n].next = at;
    if (before == NIL)
        m->first = n;
    else
        m->hole[before].next = n;
    hole_join(n);
    hole_join(before);
    return 0;
}

/* The place of a byte of a process in the core, or CORE_SIZE if it is not its own. */
static u32 user_place(const struct proc *p, u32 address)
{
    const struct segment *s = &p->seg[SEG_DATA];
    u32 place = s->base * CLICK_SIZE + address;

    if (address >= s->len * (u32)CLICK_SIZE || place >= CORE_SIZE)
        return CORE_SIZE;
    return place;
}

/* Copies bytes out of the memory of a process. */
int user_read(const struct proc *p, u32 address, void *to, u32 n)
{
    u8 *t = to;

    for (u32 i = 0; i < n; i++) {
        u32 place = user_place(p, address + i);

        if (place >= CORE_SIZE)
            return E_FAULT;
        t[i] = core[place];
    }
    return 0;
}

/* Copies bytes into the memory of a process. */
int user_write(const struct proc *p, u32 address, const void *from, u32 n)
{
    const u8 *f = from;

    for (u32 i = 0; i < n; i++) {
        u32 place = user_place(p, address + i);

        if (place >= CORE_SIZE)
            return E_FAULT;
        core[place] = f[i];
    }
    return 0;
}

/* Copies one click to another one. */
int click_copy(u32 to, u32 from)
{
    if (to >= NCLICK || from >= NCLICK)
        return E_FAULT;
    bytes_copy(&core[to * CLICK_SIZE], &core[from * CLICK_SIZE], CLICK_SIZE);
    return 0;
}

/* Gives a process a larger piece of the core, with the same contents. */
int memory_grow(struct proc *p, u32 len)
{
    struct segment *s = &p->seg[SEG_DATA];
    int base;

    if (len <= s->len || len > MAX_CLICKS)
        return E_ARG;
    base = memory_take(len);
    if (base < 0)
        return E_MEM;
    for (u32 i = 0; i < s->len; i++)
        click_copy((u32)base + i, s->base + i);
    for (u32 click = (u32)base + s->len; click < (u32)base + len && click < NCLICK; click++)
        memset(&core[click * CLICK_SIZE], 0, CLICK_SIZE);
    memory_give(s->base, s->len);
    s->base = (u16)base;
    s->len = (u16)len;
    return base;
}

int pipe_open(void)
{
    struct memory *m = &k.memory;
    int page = bit_clear_find(m->pages, NPAGE / 32);

    if (page == NIL)
        return E_MEM;
    for (u32 n = 0; n < NPIPE; n++) {
        struct pipe *p = &m->pipe[n];

        if (!p->used) {
            bit_set(m->pages, (u32)page);
            p->used = 1;
            p->page = (u8)page;
            p->in = p->count = 0;
            memset(pool[page], 0, PAGE_SIZE);
            return (int)n;
        }
    }
    return E_FULL;
}

/* Writes into a pipe, as much as there is room. */
int pipe_write(u32 n, const struct proc *p, u32 address, u32 len)
{
    struct pipe *pipe;
    u32 done = 0, in, count;

    if (n >= NPIPE || !k.memory.pipe[n].used)
        return E_ARG;
    pipe = &k.memory.pipe[n];
    in = pipe->in;
    count = pipe->count;
    while (done < len && count < PAGE_SIZE) {
        u8 byte;

        if (user_read(p, address + done, &byte, 1) < 0)
            break;
        pool[pipe->page][in] = byte;
        done++;
        count++;
        if (++in == PAGE_SIZE)
            in = 0;
    }
    pipe->in = (u16)in;
    pipe->count = (u16)count;
    return (int)done;
}

int pipe_read(u32 n, const struct proc *p, u32 address, u32 len)
{
    struct pipe *pipe;
    u32 done = 0, count;

    if (n >= NPIPE || !k.memory.pipe[n].used)
        return E_ARG;
    pipe = &k.memory.pipe[n];
    count = pipe->count;
    while (done < len && count > 0) {
        u32 out = (pipe->in + PAGE_SIZE - count) % PAGE_SIZE;
        u8 byte = pool[pipe->page][out];

        if (user_write(p, address + done, &byte, 1) < 0)
            break;
        done++;
        count--;
    }
    pipe->count = (u16)count;
    return (int)done;
}

int pipe_close(u32 n)
{
    struct memory *m = &k.memory;

    if (n >= NPIPE || !m->pipe[n].used)
        return E_ARG;
    bit_clear(m->pages, m->pipe[n].page);
    m->pipe[n].used = 0;
    return 0;
}
