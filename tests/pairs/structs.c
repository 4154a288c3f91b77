// Initialises two members of all structs in an array.
// by pointer: p is at i
#include <assert.h>
#define N 50
struct item {
    int key;
    char used;
    long weight;
};
struct item table[N];

int main(void) {
#ifdef WALK
    for (struct item *p = table; p < table + N; p++) {
        p->key = -1;
        p->weight = p - table;
    }
#else
    for (int i = 0; i < N; i++) {
        table[i].key = -1;
        table[i].weight = i;
    }
#endif
    for (int k = 0; k < N; k++) assert(table[k].key == -1);
    for (int k = 0; k < N; k++) assert(table[k].weight == k);
    for (int k = 0; k < N; k++) assert(table[k].used == 0);
    return 0;
}
