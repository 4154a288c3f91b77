// Devices behind a table of operations; the memory device releases its block when it closes.
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct device;

struct operations {
    int (*open)(struct device *);
    int (*write)(struct device *, int);
    void (*close)(struct device *);
};

struct device {
    const struct operations *ops;
    int *block, used;
};

static int memory_open(struct device *d) {
    d->block = calloc(8, sizeof *d->block);
    d->used = 0;
    return d->block ? 0 : -1;
}
static int memory_write(struct device *d, int value) {
    if (d->used == 8) return -1;
    d->block[d->used++] = value; // fails: lifetime
    return 0;
}
static void memory_close(struct device *d) { free(d->block); }

static int null_open(struct device *d) { return d->used = 0; }
static int null_write(struct device *d, int value) { return (void)d, (void)value, 0; }
static void null_close(struct device *d) { d->used = -1; }

static const struct operations memory = {memory_open, memory_write, memory_close};
static const struct operations null = {null_open, null_write, null_close};

int main(void) {
    struct device d = {__VERIFIER_nondet_int() > 0 ? &memory : &null, NULL, 0};
    if (d.ops->open(&d) != 0) return 1;
    int n = __VERIFIER_nondet_int(), status = 0;
    for (int i = 0; i < n && i < 10 && status == 0; i++) status = d.ops->write(&d, i);
#ifdef BROKEN
    d.ops->close(&d);
    if (status == 0) status = d.ops->write(&d, -1);
#else
    if (status == 0) status = d.ops->write(&d, -1);
    d.ops->close(&d);
#endif
    return status != 0;
}
