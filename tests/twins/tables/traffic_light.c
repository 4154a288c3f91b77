// A table of actions for each state and event of a traffic light.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

enum light { RED, GREEN, YELLOW, LIGHTS };
enum event { TIMER, BUTTON, EVENTS };

static int waiting;

static enum light stay_red(void) { waiting = 0; return RED; }
static enum light go(void) { return GREEN; }
static enum light request(void) { waiting = 1; return GREEN; }
static enum light slow(void) { return waiting ? YELLOW : GREEN; }
static enum light stop(void) { waiting = 0; return RED; }
#ifdef BROKEN
static enum light again(void) { return YELLOW + 1; }
#else
static enum light again(void) { return YELLOW; }
#endif

static enum light (*const actions[LIGHTS][EVENTS])(void) = {
    [RED] = {go, stay_red},
    [GREEN] = {slow, request},
    [YELLOW] = {stop, again},
};

int main(void) {
    enum light light = RED;
    for (int i = 0; i < 40; i++) {
        enum event e = __VERIFIER_nondet_int() > 0 ? BUTTON : TIMER;
        light = actions[light][e](); // fails: bounds
        if (light == RED) assert(!waiting);
    }
    return light;
}
