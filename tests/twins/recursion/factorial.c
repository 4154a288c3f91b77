// Factorials that fit an int.
extern int __VERIFIER_nondet_int(void);

static int factorial(int n) {
    if (n <= 1) return 1;
    return n * factorial(n - 1); // fails: overflow
}

int main(void) {
    int n = __VERIFIER_nondet_int();
#ifdef BROKEN
    if (n < 0 || n > 13) return 1;
#else
    if (n < 0 || n > 12) return 1;
#endif
    return factorial(n) % 7;
}
