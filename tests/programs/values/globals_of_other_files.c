// smalti: --stages domains --stack values
// After many calls, all calls of a function are executed together. What they read from a global of
// another file is then anything, if it was anything in one of them.
extern int numbers_of_others[4];
extern int __VERIFIER_nondet_int(void);
int *kept;

static int first(int n) {
    int x = numbers_of_others[0];
    return n < 0 ? 0 : x;
}

static void calls_4(int n) { first(n); first(n + 1); first(n + 2); first(n + 3); }
static void calls_16(int n) { calls_4(n); calls_4(n + 4); calls_4(n + 8); calls_4(n + 12); }
static void calls_64(int n) { calls_16(n); calls_16(n + 16); calls_16(n + 32); calls_16(n + 48); }
static void calls_256(int n) { calls_64(n); calls_64(n + 64); calls_64(n + 128); calls_64(n + 192); }

int main(void) {
    kept = numbers_of_others;
    calls_256(1);
    calls_64(257);
    int before = first(501);
    if (__VERIFIER_nondet_int()) {
        numbers_of_others[0] = __VERIFIER_nondet_int() & 1;
        first(502);
    }
    int after = first(503);
    //@ RESIDUAL!   after <= 1
    numbers_of_others[0] = 2;
    //@ PROVED      numbers_of_others[0] == 2
    return before;
}
