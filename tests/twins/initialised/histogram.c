// Counts how often each digit occurs among the numbers that come in.
#define DIGITS 10
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int counts[DIGITS];
#ifdef BROKEN
    for (int d = 1; d < DIGITS; d++) counts[d] = 0;
#else
    for (int d = 0; d < DIGITS; d++) counts[d] = 0;
#endif

    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 1;
    for (int i = 0; i < n; i++) {
        unsigned number = (unsigned)__VERIFIER_nondet_int();
        counts[number % DIGITS]++; // fails: initialised
    }

    int most = 0;
    for (int d = 1; d < DIGITS; d++)
        if (counts[d] > counts[most]) most = d; // fails: initialised
    return most;
}
