/* The controller of a heater with four zones, as it would run on a small machine: samples arrive in a
 * ring buffer, a filter smooths them, a state machine drives each zone, and events are logged.
 *
 *     smalti check examples/firmware/heater_broken.c
 *
 * Samples are not held to their range, so that a large one makes the sum of the filter overflow. heater.c
 * is the same program without that mistake. */

#include <assert.h>

#define ZONES 4
#define RING 32
#define WINDOW 8
#define HISTORY 64
#define EVENTS 16

#define LOWEST (-400)
#define HIGHEST 1500
#define FULL_POWER 100

enum state { OFF, HEATING, HOLDING, COOLING, FAULT };
enum event { NONE, STARTED, REACHED, TOO_HOT, STUCK, STOPPED };

struct zone {
    int state;
    int target;
    int measured;
    int power;
    int ticks;
};

struct record {
    int time;
    int zone;
    int what;
};

/* Samples that the interrupt has put down, in tenths of a degree. */
static int ring[RING];
static unsigned ring_head;
static unsigned ring_count;

/* The last samples, for the filter. */
static int window[WINDOW];
static unsigned window_next;
static int window_sum;

static struct zone zones[ZONES];
static int history[HISTORY];
static unsigned history_length;

static struct record events[EVENTS];
static unsigned events_next;
static int events_lost;

static int now;

/* The hardware: registers hold any value. */
extern int __VERIFIER_nondet_int(void);

static int adc_read(void)
{
    return __VERIFIER_nondet_int();
}

static int bus_read(void)
{
    return __VERIFIER_nondet_int();
}

static int heaters[ZONES];

static void heater_set(int zone, int power)
{
    heaters[zone] = power;
}

static int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}

static int minimum(int a, int b)
{
    return a < b ? a : b;
}

/* --- The ring of samples --- */

static void ring_reset(void)
{
    unsigned i;
    for (i = 0; i < RING; i++)
        ring[i] = 0;
    ring_head = 0;
    ring_count = 0;
}

static int ring_put(int sample)
{
    if (ring_count >= RING)
        return 0;
    ring[(ring_head + ring_count) % RING] = sample;
    ring_count++;
    assert(ring_count <= RING);
    return 1;
}

static int ring_take(int *sample)
{
    if (ring_count == 0)
        return 0;
    assert(ring_head < RING);
    *sample = ring[ring_head];
    ring_head = (ring_head + 1) % RING;
    ring_count--;
    assert(ring_count < RING);
    return 1;
}

/* --- The filter --- */

static void filter_reset(int value)
{
    unsigned i;
    for (i = 0; i < WINDOW; i++)
        window[i] = value;
    window_next = 0;
    window_sum = WINDOW * value;
}

static int filter_mean(int sample)
{
    int sum = 0;
    unsigned i;
    window[window_next] = sample;
    window_next++;
    if (window_next == WINDOW)
        window_next = 0;
    for (i = 0; i < WINDOW; i++)
        sum += window[i];
    window_sum = clamp(sum, WINDOW * LOWEST, WINDOW * HIGHEST);
    assert(window_next < WINDOW);
    return window_sum / WINDOW;
}

/* The middle of the window: three passes of an insertion sort over a copy. */
static int filter_median(void)
{
    int copy[WINDOW];
    int i, j;
    for (i = 0; i < WINDOW; i++)
        copy[i] = clamp(window[i], LOWEST, HIGHEST);
    for (i = 1; i < WINDOW; i++) {
        int value = copy[i];
        j = i;
        while (j > 0 && copy[j - 1] > value) {
            copy[j] = copy[j - 1];
            j--;
        }
        assert(0 <= j && j <= i);
        copy[j] = value;
    }
    return copy[WINDOW / 2];
}

/* --- The log --- */

static void log_event(int zone, int what)
{
    if (events_next >= EVENTS) {
        if (events_lost < 1000)
            events_lost++;
        return;
    }
    events[events_next].time = now;
    events[events_next].zone = zone;
    events[events_next].what = what;
    events_next++;
    assert(events_next <= EVENTS);
}

static int log_count(int what)
{
    int found = 0;
    unsigned i;
    for (i = 0; i < events_next && i < EVENTS; i++)
        if (events[i].what == what)
            found++;
    assert(found >= 0);
    assert(found <= EVENTS);
    return found;
}

static void log_forget(int zone)
{
    unsigned from, to = 0;
    for (from = 0; from < events_next && from < EVENTS; from++) {
        if (events[from].zone != zone) {
            events[to] = events[from];
            to++;
        }
        assert(to <= from + 1);
    }
    events_next = to;
    assert(events_next <= EVENTS);
}

/* --- The history of one zone --- */

static void history_add(int value)
{
    unsigned i;
    if (history_length == HISTORY) {
        for (i = 1; i < HISTORY; i++)
            history[i - 1] = history[i];
        history_length--;
    }
    assert(history_length < HISTORY);
    history[history_length] = value;
    history_length++;
}

static int history_slope(void)
{
    int first, last, length;
    if (history_length < 2 || history_length > HISTORY)
        return 0;
    length = (int)history_length;
    first = clamp(history[0], LOWEST, HIGHEST);
    last = clamp(history[length - 1], LOWEST, HIGHEST);
    assert(length >= 2);
    return (last - first) / (length - 1);
}

static int history_highest(void)
{
    int best = LOWEST;
    unsigned i;
    for (i = 0; i < history_length && i < HISTORY; i++)
        if (history[i] > best)
            best = history[i];
    assert(best >= LOWEST);
    return best;
}

/* --- One zone --- */

static int power_for(const struct zone *z)
{
    int error = clamp(z->target, 0, HIGHEST) - clamp(z->measured, LOWEST, HIGHEST);
    int power;
    assert(error <= HIGHEST - LOWEST);
    assert(error >= -HIGHEST);
    power = error / 4 + history_slope() / 2;
    power = clamp(power, 0, FULL_POWER);
    assert(power >= 0 && power <= FULL_POWER);
    return power;
}

static void zone_step(int n)
{
    struct zone *z;
    assert(n >= 0 && n < ZONES);
    z = &zones[n];
    if (z->ticks < 10000)
        z->ticks++;
    switch (z->state) {
    case OFF:
        z->power = 0;
        break;
    case HEATING:
        z->power = power_for(z);
        if (z->measured >= z->target) {
            z->state = HOLDING;
            z->ticks = 0;
            log_event(n, REACHED);
        } else if (z->ticks > 5000) {
            z->state = FAULT;
            log_event(n, STUCK);
        }
        break;
    case HOLDING:
        z->power = minimum(power_for(z), FULL_POWER / 2);
        if (z->measured > HIGHEST - 100) {
            z->state = COOLING;
            log_event(n, TOO_HOT);
        }
        break;
    case COOLING:
        z->power = 0;
        if (z->measured < z->target)
            z->state = HEATING;
        break;
    default:
        z->power = 0;
        z->state = FAULT;
        break;
    }
    z->power = clamp(z->power, 0, FULL_POWER);
    heater_set(n, z->power);
}

static void command(void)
{
    int n = bus_read();
    int value = bus_read();
    if (n < 0 || n >= ZONES)
        return;
    if (value <= 0) {
        zones[n].state = OFF;
        zones[n].target = 0;
        log_forget(n);
        log_event(n, STOPPED);
        return;
    }
    zones[n].target = clamp(value, 0, HIGHEST);
    zones[n].state = HEATING;
    zones[n].ticks = 0;
    log_event(n, STARTED);
}

/* The power of all zones together, in percent of what the supply can give. */
static int load(void)
{
    int sum = 0, active = 0, i;
    for (i = 0; i < ZONES; i++) {
        sum += clamp(zones[i].power, 0, FULL_POWER);
        if (zones[i].state != OFF)
            active++;
    }
    assert(active >= 0);
    assert(active <= ZONES);
    if (active == 0)
        return 0;
    return sum / active;
}

int main(void)
{
    int i, sample, turn = 0;
    ring_reset();
    filter_reset(200);
    for (i = 0; i < ZONES; i++) {
        zones[i].state = OFF;
        zones[i].target = 0;
        zones[i].measured = 200;
        zones[i].power = 0;
        zones[i].ticks = 0;
    }
    for (;;) {
        if (!ring_put(adc_read()))
            log_event(0, STUCK);
        command();
        while (ring_take(&sample)) {
            int mean = filter_mean(sample);
            int middle = filter_median();
            zones[turn].measured = (clamp(mean, LOWEST, HIGHEST) + clamp(middle, LOWEST, HIGHEST)) / 2;
            history_add(zones[turn].measured);
        }
        zone_step(turn);
        turn++;
        if (turn >= ZONES)
            turn = 0;
        assert(turn >= 0 && turn < ZONES);
        if (load() > 80 && log_count(TOO_HOT) > 0 && history_highest() > HIGHEST / 2)
            zones[0].state = FAULT;
        if (now < 1000000)
            now++;
    }
}
