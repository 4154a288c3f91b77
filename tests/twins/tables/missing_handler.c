// Handlers of events, by number; some events have none.
extern int __VERIFIER_nondet_int(void);

enum event { START, STOP, PAUSE, RESUME, TICK, EVENTS };

static int running, ticks;

static void start(void) { running = 1; }
static void stop(void) { running = ticks = 0; }
static void tick(void) {
    if (running && ticks < 1000) ticks++;
}

static void (*const handlers[EVENTS])(void) = {
    [START] = start,
    [STOP] = stop,
    [TICK] = tick,
};

static void handle(enum event e) {
#ifndef BROKEN
    if (!handlers[e]) return;
#endif
    handlers[e](); // fails: calls
}

int main(void) {
    for (int i = 0; i < 20; i++) {
        int e = __VERIFIER_nondet_int();
        if (e >= 0 && e < EVENTS) handle((enum event)e);
    }
    return ticks;
}
