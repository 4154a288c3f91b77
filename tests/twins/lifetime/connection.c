// A connection: its buffer exists while it is open.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

enum state { CLOSED, OPEN, FAILED };

struct connection {
    enum state state;
    unsigned char *buffer;
    int received;
};

static void open_it(struct connection *c) {
    if (c->state == OPEN) return;
    c->buffer = calloc(16, 1);
    c->state = c->buffer ? OPEN : CLOSED;
    c->received = 0;
}

static void close_it(struct connection *c, enum state state) {
    if (c->state == OPEN) free(c->buffer);
    c->state = state;
}

static void receive(struct connection *c, unsigned char byte) {
#ifdef BROKEN
    if (c->state == CLOSED) return;
#else
    if (c->state != OPEN) return;
#endif
    if (c->received == 16) return;
    c->buffer[c->received++] = byte; // fails: lifetime
}

int main(void) {
    struct connection c = {CLOSED, NULL, 0};
    for (int i = 0; i < 20; i++) {
        int event = __VERIFIER_nondet_int();
        if (event == 1) open_it(&c);
        else if (event == 2) close_it(&c, CLOSED);
        else if (event == 3 && c.state == OPEN) close_it(&c, FAILED);
        else receive(&c, (unsigned char)event);
    }
    close_it(&c, CLOSED);
    return c.received;
}
