/* A gateway between a serial line and four buses. Bytes from the line wait in a ring until a
 * parser has made frames of them; a frame is checked, looked up in a table of routes and put into
 * a buffer; a wheel of timers says when a buffer is tried again; answers leave through a second
 * ring.
 *
 *     smalti check examples/firmware/gateway.c
 *
 * Nothing here can fail. */

#include <assert.h>

#define RING 64
#define PORTS 4
#define ROUTES 16
#define BUFFERS 8
#define BODY 16
#define WHEEL 8
#define BINS 4
#define EVENTS 16
#define TRIES 5

#define NOBODY (-1)
#define MUCH 1000000
#define CRC_POLYNOMIAL 0x8c
#define START_BYTE 0x7e
#define CONTROL_ID 0

enum expects { WANT_START, WANT_ID, WANT_LENGTH, WANT_BODY, WANT_CHECK };
enum event { BOOT = 1, BAD_CHECK, NO_ROUTE, NO_BUFFER, GAVE_UP, ROUTE_SET };
enum answer { DONE = 1, REFUSED, FAILED };

struct ring {
    unsigned head;
    unsigned count;
};

struct route {
    int id;
    int port;
    int used;
};

struct entry {
    int time;
    int what;
    int id;
};

/* Bytes from the line, and bytes to it. */
static int received[RING];
static struct ring receive_ring;
static int sent[RING];
static struct ring send_ring;

/* What the parser has of the frame that is coming in. */
static int expects;
static int frame_id;
static int frame_length;
static int frame_have;
static int frame_body[BODY];

/* The remainder of every byte, for the checksum. */
static int crc_table[256];

/* Which id belongs to which bus. Buses are numbered from 1. */
static struct route routes[ROUTES];

/* How many ticks a bus wants between two tries. */
static const int patience[PORTS] = { 1, 2, 4, 7 };

/* What became of the messages for each bus. */
static int delivered[PORTS];
static int dropped[PORTS];

/* The buffers: what is in them, and the stack of those that are free. */
static int pool[BUFFERS * BODY];
static int pool_length[BUFFERS];
static int pool_id[BUFFERS];
static int pool_port[BUFFERS];
static int tries_left[BUFFERS];
static int free_list[BUFFERS];
static int free_count;

/* For each tick to come, the first of the buffers that are due then; each buffer names the next. */
static int wheel[WHEEL];
static int wheel_next[BUFFERS];
static int wheel_at;

/* How many frames were how long. */
static int histogram[BINS];

/* The last events. The oldest one is overwritten. */
static struct entry events[EVENTS];
static unsigned events_at;

static int now;

/* The hardware: registers hold any value. */
extern int __VERIFIER_nondet_int(void);

static int line_ready(void)
{
    return __VERIFIER_nondet_int() & 1;
}

static int line_read(void)
{
    return __VERIFIER_nondet_int() & 255;
}

static int line_register;

static void line_write(int byte)
{
    assert(byte >= 0 && byte <= 255);
    line_register = byte;
}

static int bus_register[PORTS];

/* Puts a message on a bus; whether somebody took it. */
static int bus_write(int port, const int *bytes, int length)
{
    int i, sum = 0;
    for (i = 0; i < length; i++)
        sum = (sum + bytes[i]) & 255;
    bus_register[port - 1] = sum;
    return __VERIFIER_nondet_int() & 1;
}

static void fill(int *cells, int length, int value)
{
    int i;
    for (i = 0; i < length; i++)
        cells[i] = value;
}

static int sum_of(const int *cells, int length)
{
    int i, sum = 0;
    for (i = 0; i < length; i++)
        if (cells[i] > 0 && sum < MUCH)
            sum += cells[i] < MUCH ? cells[i] : MUCH;
    assert(sum >= 0);
    return sum;
}

/* --- Events --- */

static void events_reset(void)
{
    unsigned i;
    for (i = 0; i < EVENTS; i++) {
        events[i].time = 0;
        events[i].what = BOOT;
        events[i].id = 0;
    }
    events_at = 0;
}

static void event_log(int what, int id)
{
    struct entry *e = &events[events_at];
    e->time = now;
    e->what = what;
    e->id = id;
    events_at = (events_at + 1) % EVENTS;
}

static int events_count(int what)
{
    int i, found = 0;
    for (i = 0; i < EVENTS; i++) {
        assert(events[i].what >= BOOT && events[i].what <= ROUTE_SET);
        if (events[i].what == what)
            found++;
    }
    assert(found >= 0 && found <= EVENTS);
    return found;
}

/* --- Rings --- */

static int ring_put(int *cells, struct ring *ring, int byte)
{
    if (ring->count >= RING)
        return 0;
    cells[(ring->head + ring->count) % RING] = byte;
    ring->count++;
    assert(ring->count <= RING);
    return 1;
}

static int ring_take(const int *cells, struct ring *ring, int *byte)
{
    if (ring->count == 0)
        return 0;
    *byte = cells[ring->head % RING];
    ring->head = (ring->head + 1) % RING;
    ring->count--;
    assert(ring->count < RING);
    return 1;
}

static void answer(int what, int id)
{
    if (send_ring.count + 2 > RING)
        return;
    ring_put(sent, &send_ring, what);
    ring_put(sent, &send_ring, id);
}

/* --- The checksum --- */

static void crc_reset(void)
{
    int i, bit;
    for (i = 0; i < 256; i++) {
        int value = i;
        for (bit = 0; bit < 8; bit++) {
            if (value & 1)
                value = (value / 2) ^ CRC_POLYNOMIAL;
            else
                value = value / 2;
            value = value & 255;
        }
        crc_table[i] = value;
    }
}

static int crc_of(int start, const int *bytes, int length)
{
    int i, crc = start & 255;
    for (i = 0; i < length; i++) {
        crc = crc_table[(crc ^ bytes[i]) & 255];
        assert(crc >= 0 && crc <= 255);
    }
    return crc;
}

/* --- Routes --- */

/* Every route leads to a bus, also those that are not in use: to the last one. */
static void routes_reset(void)
{
    int i;
    for (i = 0; i < ROUTES; i++) {
        routes[i].id = i;
        routes[i].port = PORTS;
        routes[i].used = 0;
    }
}

static int route_find(int id)
{
    int i;
    for (i = 0; i < ROUTES; i++)
        if (routes[i].used && routes[i].id == id)
            return i;
    return NOBODY;
}

/* Sets the route of an id: the one there is, or else the first that is not in use. */
static int route_set(int id, int port)
{
    int at;
    if (port < 1 || port > PORTS)
        return 0;
    at = route_find(id);
    if (at == NOBODY) {
        at = 0;
        while (at < ROUTES && routes[at].used)
            at++;
        if (at == ROUTES)
            return 0;
    }
    assert(at >= 0 && at < ROUTES);
    routes[at].id = id;
    routes[at].port = port;
    routes[at].used = 1;
    return 1;
}

static int route_forget(int id)
{
    int at = route_find(id);
    if (at == NOBODY)
        return 0;
    routes[at].used = 0;
    return 1;
}

/* Which buses a route leads to, as a set of bits. */
static int routes_ports(void)
{
    int i, ports = 0;
    for (i = 0; i < ROUTES; i++) {
        assert(routes[i].port >= 1 && routes[i].port <= PORTS);
        if (routes[i].used)
            ports = (ports | 1 << (routes[i].port - 1)) & 15;
    }
    return ports;
}

/* --- Buffers --- */

static void buffers_reset(void)
{
    int i;
    for (i = 0; i < BUFFERS; i++) {
        free_list[i] = i;
        pool_length[i] = 0;
        pool_id[i] = 0;
        pool_port[i] = PORTS;
        tries_left[i] = 0;
        wheel_next[i] = NOBODY;
    }
    free_count = BUFFERS;
}

static int buffer_take(void)
{
    int b;
    if (free_count <= 0)
        return NOBODY;
    free_count--;
    b = free_list[free_count];
    assert(b >= 0 && b < BUFFERS);
    return b;
}

static void buffer_give(int b)
{
    if (free_count >= BUFFERS)
        return;
    free_list[free_count] = b;
    free_count++;
    assert(free_count >= 1 && free_count <= BUFFERS);
}

/* Copies the frame that has come in. */
static void buffer_fill(int b, int port)
{
    int i;
    for (i = 0; i < frame_length && i < BODY; i++)
        pool[b * BODY + i] = frame_body[i];
    pool_length[b] = frame_length;
    pool_id[b] = frame_id;
    pool_port[b] = port;
    tries_left[b] = TRIES;
}

/* --- The wheel of timers --- */

static void wheel_add(int b, int ticks)
{
    int slot = (wheel_at + ticks) % WHEEL;
    wheel_next[b] = wheel[slot];
    wheel[slot] = b;
}

static void count_up(int *counters, int port)
{
    if (counters[port - 1] < MUCH)
        counters[port - 1]++;
}

/* Tries to get rid of a buffer; if that fails, later again, but not for ever. */
static void buffer_try(int b)
{
    int port = pool_port[b];
    assert(port >= 1 && port <= PORTS);
    assert(pool_length[b] >= 0 && pool_length[b] <= BODY);
    if (bus_write(port, &pool[b * BODY], pool_length[b])) {
        count_up(delivered, port);
        answer(DONE, pool_id[b]);
        buffer_give(b);
        return;
    }
    if (tries_left[b] > 0) {
        tries_left[b]--;
        wheel_add(b, patience[port - 1]);
        return;
    }
    count_up(dropped, port);
    event_log(GAVE_UP, pool_id[b]);
    answer(FAILED, pool_id[b]);
    buffer_give(b);
}

/* One tick: whatever is due now is tried. */
static void wheel_turn(void)
{
    int b;
    wheel_at = (wheel_at + 1) % WHEEL;
    b = wheel[wheel_at];
    wheel[wheel_at] = NOBODY;
    while (b != NOBODY) {
        int next = wheel_next[b];
        assert(next >= NOBODY && next < BUFFERS);
        wheel_next[b] = NOBODY;
        buffer_try(b);
        b = next;
    }
}

/* --- Frames: start, id, length, body, checksum --- */

/* A frame for the gateway itself: an id, and the bus that it belongs to from now on, or 0. */
static void control(void)
{
    int id = frame_body[0], port = frame_body[1], good;
    if (frame_length < 2 || id == CONTROL_ID) {
        answer(REFUSED, CONTROL_ID);
        return;
    }
    good = port == 0 ? route_forget(id) : route_set(id, port);
    if (good)
        event_log(ROUTE_SET, id);
    answer(good ? DONE : REFUSED, CONTROL_ID);
}

static void message(void)
{
    int b, at = route_find(frame_id);
    if (at == NOBODY) {
        event_log(NO_ROUTE, frame_id);
        answer(REFUSED, frame_id);
        return;
    }
    b = buffer_take();
    if (b == NOBODY) {
        event_log(NO_BUFFER, frame_id);
        count_up(dropped, routes[at].port);
        answer(REFUSED, frame_id);
        return;
    }
    buffer_fill(b, routes[at].port);
    wheel_add(b, 1);
}

static void frame_done(int check)
{
    int bin = frame_length / 4;
    if (bin >= BINS)
        bin = BINS - 1;
    assert(bin >= 0 && bin < BINS);
    if (histogram[bin] < MUCH)
        histogram[bin]++;
    if (crc_of(frame_id, frame_body, frame_length) != check)
        event_log(BAD_CHECK, frame_id);
    else if (frame_id == CONTROL_ID)
        control();
    else
        message();
}

static void parse(int byte)
{
    switch (expects) {
    case WANT_ID:
        frame_id = byte;
        expects = WANT_LENGTH;
        break;
    case WANT_LENGTH:
        frame_length = byte;
        frame_have = 0;
        expects = byte > BODY ? WANT_START : byte == 0 ? WANT_CHECK : WANT_BODY;
        if (frame_length > BODY)
            frame_length = BODY;
        break;
    case WANT_BODY:
        if (frame_have < BODY) {
            frame_body[frame_have] = byte;
            frame_have++;
        }
        if (frame_have >= frame_length)
            expects = WANT_CHECK;
        break;
    case WANT_CHECK:
        frame_done(byte);
        expects = WANT_START;
        break;
    default:
        if (byte == START_BYTE)
            expects = WANT_ID;
        break;
    }
    assert(frame_have >= 0 && frame_have <= BODY);
    assert(frame_length >= 0 && frame_length <= BODY);
}

/* --- All together --- */

/* What has come in since the last turn; what does not fit is lost. */
static void receive(void)
{
    while (line_ready())
        ring_put(received, &receive_ring, line_read());
}

static void transmit(void)
{
    int byte = 0;
    while (line_ready() && ring_take(sent, &send_ring, &byte))
        line_write(byte);
}

/* Something is wrong if much was given up of late, and more is lost than delivered: then all
 * begins anew. */
static void watch(void)
{
    int bad = events_count(GAVE_UP);
    if (bad > EVENTS / 2 && routes_ports() != 0 && sum_of(delivered, PORTS) < sum_of(dropped, PORTS)) {
        routes_reset();
        events_reset();
        fill(delivered, PORTS, 0);
        fill(dropped, PORTS, 0);
    }
}

int main(void)
{
    int byte = 0;
    events_reset();
    crc_reset();
    routes_reset();
    buffers_reset();
    fill(wheel, WHEEL, NOBODY);
    fill(pool, BUFFERS * BODY, 0);
    fill(histogram, BINS, 0);
    while (1) {
        receive();
        if (ring_take(received, &receive_ring, &byte))
            parse(byte);
        wheel_turn();
        transmit();
        if (now < MUCH)
            now++;
        if (now % 256 == 0)
            watch();
    }
}
