// A small cache: an entry that is evicted leaves its slot empty.
#include <stdlib.h>
#define SLOTS 4
extern int __VERIFIER_nondet_int(void);

struct entry {
    int key, hits;
};

static struct entry *cache[SLOTS];

static void evict(int slot) {
    free(cache[slot]); // fails: lifetime
#ifndef BROKEN
    cache[slot] = NULL;
#endif
}

static struct entry *find(int key) {
    for (int i = 0; i < SLOTS; i++)
        if (cache[i] && cache[i]->key == key) return cache[i]; // fails: lifetime
    return NULL;
}

static void insert(int slot, int key) {
    struct entry *e = malloc(sizeof *e);
    if (!e) return;
    e->key = key;
    e->hits = 0;
    cache[slot] = e;
}

int main(void) {
    for (int i = 0; i < SLOTS; i++) insert(i, 10 * i);
    int slot = __VERIFIER_nondet_int();
    if (slot >= 0 && slot < SLOTS) evict(slot);
    struct entry *e = find(__VERIFIER_nondet_int());
    if (e) e->hits++;
    for (int i = 0; i < SLOTS; i++)
        if (cache[i]) evict(i);
    return 0;
}
