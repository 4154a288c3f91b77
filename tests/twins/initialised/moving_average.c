// The average of the last samples; the window is not full at the beginning.
#include <stdint.h>
#define WINDOW 8
extern int __VERIFIER_nondet_int(void);

struct filter {
    int16_t samples[WINDOW];
    int filled, next;
};

static void add(struct filter *f, int16_t sample) {
    f->samples[f->next] = sample;
    f->next = (f->next + 1) % WINDOW;
    if (f->filled < WINDOW) f->filled++;
}

static int average(const struct filter *f) {
    int sum = 0;
    if (f->filled == 0) return 0;
#ifdef BROKEN
    for (int i = 0; i < WINDOW; i++)
#else
    for (int i = 0; i < f->filled; i++)
#endif
        sum += f->samples[i]; // fails: initialised
    return sum / f->filled;
}

int main(void) {
    struct filter f;
    f.filled = 0;
    f.next = 0;
    int alarms = 0;
    for (int t = 0; t < 100; t++) {
        int sample = __VERIFIER_nondet_int();
        if (sample < -2000 || sample > 2000) continue;
        add(&f, (int16_t)sample);
        if (average(&f) > 1000) alarms++;
    }
    return alarms > 10;
}
