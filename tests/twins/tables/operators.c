// Binary operators by number.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static unsigned add(unsigned a, unsigned b) { return a + b; }
static unsigned subtract(unsigned a, unsigned b) { return a - b; }
static unsigned both(unsigned a, unsigned b) { return a & b; }
static unsigned either(unsigned a, unsigned b) { return a | b; }

static unsigned (*const operators[])(unsigned, unsigned) = {add, subtract, both, either};
#define OPERATORS (sizeof operators / sizeof operators[0])

int main(void) {
    unsigned value = 0;
    for (int i = 0; i < 10; i++) {
        unsigned code = (unsigned)__VERIFIER_nondet_int();
#ifdef BROKEN
        if (code > OPERATORS) break;
#else
        if (code >= OPERATORS) break;
#endif
        value = operators[code](value, (unsigned)i); // fails: bounds
    }
    return value > 9;
}
