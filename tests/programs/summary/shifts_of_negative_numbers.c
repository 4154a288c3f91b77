// smalti: --stages summary --checks assertion
// A shift to the right rounds down, and a division towards 0.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < -100 || n > 100) return 0;
    __VERIFIER_assert((n >> 1) * 2 <= n);       //@ PROVED
    //@ RESIDUAL! n >> 1 == n / 2       -1 >> 1 is -1
    //@ RESIDUAL! n >> 3 >= n / 8       -1 >> 3 is -1
    return 0;
}
