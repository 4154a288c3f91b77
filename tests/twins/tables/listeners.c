// Callbacks that are registered with a number that is theirs.
#define MOST 3
extern int __VERIFIER_nondet_int(void);

typedef void (*listener)(int event, int *data);

static struct {
    listener call;
    int data;
} listeners[MOST];
static int count;

static void subscribe(listener call, int data) {
#ifdef BROKEN
    if (count > MOST) return;
#else
    if (count >= MOST) return;
#endif
    listeners[count].call = call; // fails: bounds
    listeners[count].data = data;
    count++;
}

static void count_events(int event, int *data) {
    if (event > 0 && *data < 100) ++*data;
}
static void keep_last(int event, int *data) { *data = event; }

int main(void) {
    for (int i = 0; i < 5; i++) {
        int kind = __VERIFIER_nondet_int();
        if (kind == 1) subscribe(count_events, 0);
        else if (kind == 2) subscribe(keep_last, -1);
    }
    for (int e = 0; e < 10; e++)
        for (int i = 0; i < count; i++) listeners[i].call(e, &listeners[i].data);
    return count;
}
