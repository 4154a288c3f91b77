// Binary search in an array with all even numbers below 2 N.
// by pointer: low is at low, high is at high
#include <assert.h>
#define N 64
extern int __VERIFIER_nondet_int(void);
int a[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = 2 * k;
    int x = __VERIFIER_nondet_int(), at = -1;
#ifdef WALK
    int *low = a, *high = a + N;
    while (low < high) {
        int *mid = low + (high - low) / 2;
        if (*mid < x) low = mid + 1;
        else high = mid;
    }
    at = (int)(low - a);
#else
    int low = 0, high = N;
    while (low < high) {
        int mid = low + (high - low) / 2;
        if (a[mid] < x) low = mid + 1;
        else high = mid;
    }
    at = low;
#endif
    assert(0 <= at && at <= N);
    if (at < N) assert(a[at] >= x);
    if (at > 0) assert(a[at - 1] < x);
    return 0;
}
