// The value of a polynomial.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int c[10], x = __VERIFIER_nondet_int();
    int value = 0;
    for (int i = 0; i < 10; i++) c[i] = i;
    for (int i = 9; i >= 0; i--) value = value * x + c[i];
    return value;
}
