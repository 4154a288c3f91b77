/* The terminal: keys become characters, and characters become lines. */
#include "kernel.h"

#define NKEY 64
#define KEY_SHIFT 1
#define KEY_RELEASE 0x80
#define ERASE '\b'

static const char keys[2][NKEY + 1] = {
    "\0\001\0031234567890-=\b\tqwertyuiop[]\n\002asdfghjkl;'`\\zxcvbnm,./ ......",
    "\0\001\003!@#$%^&*()_+\b\tQWERTYUIOP{}\n\002ASDFGHJKL:\"~|ZXCVBNM<>? ......",
};

void tty_init(void)
{
    memset(&k.tty, 0, sizeof k.tty);
}

/* Where the next character goes, or the one before it went. */
static u32 tty_place(u32 back)
{
    return (k.tty.in + TTY_SIZE - back) % TTY_SIZE;
}

static void tty_put(char c)
{
    struct tty *t = &k.tty;

    if (c == ERASE) {
        if (t->count > 0 && t->ring[tty_place(1)] != '\n') {
            t->in = (u8)tty_place(1);
            t->count--;
        }
        return;
    }
    if (t->count >= TTY_SIZE - 1 && c != '\n')
        return;
    if (t->count >= TTY_SIZE)
        return;
    t->ring[t->in] = c;
    t->in = (u8)((t->in + 1) % TTY_SIZE);
    t->count++;
    if (c == '\n')
        t->lines++;
}

/* A key was pressed or released. */
void tty_key(u8 code)
{
    u8 key = code & (NKEY - 1);
    char c;

    if (key == KEY_SHIFT) {
        k.tty.shift = code < KEY_RELEASE;
        return;
    }
    if (code & KEY_RELEASE)
        return;
    c = keys[k.tty.shift][key];
    if (c != '\0')
        tty_put(c);
}

/* Reads a line, or the part of it that there is room for. */
int tty_read(const struct proc *p, u32 address, u32 n)
{
    struct tty *t = &k.tty;
    u32 done = 0;

    if (t->lines == 0)
        return E_AGAIN;
    while (done < n && t->count > 0) {
        char c = t->ring[tty_place(t->count)];

        if (user_write(p, address + done, &c, 1) < 0)
            return E_FAULT;
        done++;
        t->count--;
        if (c == '\n') {
            t->lines--;
            break;
        }
    }
    return (int)done;
}
