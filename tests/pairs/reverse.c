// Reverses an array in place, from both ends.
// by pointer: low is at low, high is at high
#include <assert.h>
#define N 100
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = k;
#ifdef WALK
    int *low = a, *high = a + N - 1;
    while (low < high) {
        int t = *low;
        *low++ = *high;
        *high-- = t;
    }
#else
    int low = 0, high = N - 1;
    while (low < high) {
        int t = a[low];
        a[low++] = a[high];
        a[high--] = t;
    }
#endif
    for (int k = 0; k < N; k++) assert(0 <= a[k] && a[k] < N);
    for (int k = 0; k < N; k++) assert(a[k] == N - 1 - k);
    return 0;
}
