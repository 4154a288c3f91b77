// Sets the first n bytes of an array of characters.
// by pointer: p is at i
#include <assert.h>
#define N 64
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char a[N];

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar(), value = __VERIFIER_nondet_uchar();
    if (n > N) return 0;
#ifdef WALK
    unsigned char *p = a;
    for (unsigned char left = n; left > 0; left--) *p++ = value;
#else
    int i = 0;
    for (unsigned char left = n; left > 0; left--) a[i++] = value;
#endif
    for (int k = 0; k < n; k++) assert(a[k] == value);
    for (int k = n; k < N; k++) assert(a[k] == 0);
    return 0;
}
