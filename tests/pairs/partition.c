// Separates numbers by sign. Zeros go to the right side, so the last assertion can fail.
// by pointer: l is at negative, r is at rest, p is at i
#include <assert.h>
#define N 50
extern int __VERIFIER_nondet_int(void);
int a[N], left[N], right[N];

int main(void) {
    for (int k = 0; k < N; k++) a[k] = __VERIFIER_nondet_int();
#ifdef WALK
    int *l = left, *r = right;
    for (int *p = a; p < a + N; p++) {
        if (*p < 0) *l++ = *p;
        else *r++ = *p;
    }
    int negative = (int)(l - left), rest = (int)(r - right);
#else
    int negative = 0, rest = 0;
    for (int i = 0; i < N; i++) {
        if (a[i] < 0) left[negative++] = a[i];
        else right[rest++] = a[i];
    }
#endif
    assert(negative + rest == N);
    for (int k = 0; k < negative; k++) assert(left[k] < 0);
    for (int k = 0; k < rest; k++) assert(right[k] >= 0);
    for (int k = 0; k < rest; k++) assert(right[k] > 0);
    return 0;
}
