// The value of a polynomial.
#include <assert.h>
extern int input(void);

int main(void) {
    int c[10], x = input();
    int value = 0;
    for (int i = 0; i < 10; i++) c[i] = i;
    for (int i = 9; i >= 0; i--) value = value * x + c[i];
    return value;
}
