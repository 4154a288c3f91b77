// Appends through a pointer to the place of writing.
// by pointer: p is at used
#include <assert.h>
#define N 60
int a[N];

#ifdef WALK
static void put(int **at, int value) {
    *(*at)++ = value;
}
#else
static void put(int *at, int value) {
    a[(*at)++] = value;
}
#endif

int main(void) {
#ifdef WALK
    int *p = a;
    for (int k = 0; k < N / 2; k++) {
        put(&p, 1);
        put(&p, 2);
    }
    int used = (int)(p - a);
#else
    int used = 0;
    for (int k = 0; k < N / 2; k++) {
        put(&used, 1);
        put(&used, 2);
    }
#endif
    assert(used == N);
    for (int k = 0; k < N; k++) assert(a[k] == 1 || a[k] == 2);
    return 0;
}
