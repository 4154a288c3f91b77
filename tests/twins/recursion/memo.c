// The number of ways up a staircase in steps of one, two or three, with a memo table.
#define MOST 30
extern int __VERIFIER_nondet_int(void);

static unsigned memo[MOST + 1];

static unsigned ways(int n) {
    if (n < 0) return 0;
    if (n == 0) return 1;
    if (memo[n]) return memo[n]; // fails: bounds
    unsigned w = ways(n - 1) + ways(n - 2) + ways(n - 3);
    memo[n] = w;
    return w;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
#ifdef BROKEN
    if (n < 0 || n > MOST + 1) return 1;
#else
    if (n < 0 || n > MOST) return 1;
#endif
    return ways(n) == 0;
}
