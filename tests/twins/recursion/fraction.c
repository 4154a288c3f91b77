// Reduces a fraction by the greatest common divisor.
extern int __VERIFIER_nondet_int(void);

struct fraction {
    unsigned n, d;
};

static unsigned gcd(unsigned a, unsigned b) {
    return b == 0 ? a : gcd(b, a % b);
}

static struct fraction reduce(struct fraction f) {
    unsigned g = gcd(f.n, f.d);
    f.n /= g; // fails: division
    f.d /= g;
    return f;
}

int main(void) {
    int n = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
#ifdef BROKEN
    if (n < 0 || d < 0) return 1;
#else
    if (n < 0 || d < 1) return 1;
#endif
    struct fraction f = {(unsigned)n, (unsigned)d};
    f = reduce(f);
    return f.d > 1;
}
