// smalti: --stages domains,summary
// `__builtin_add_overflow` and its kin store what fits, and say whether all of it does.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned char c;
    int r, a = __VERIFIER_nondet_int();
    unsigned long u;
    //@ PROVED      !__builtin_add_overflow(200, 55, &c) && c == 255
    //@ PROVED      __builtin_add_overflow(200, 56, &c) && c == 0
    //@ PROVED      __builtin_sub_overflow(1, 2, &u)
    //@ PROVED      __builtin_mul_overflow(65536, 65536, &r) && r == 0
    //@ PROVED      !__builtin_smul_overflow(-65536, 32768, &r)
    if (!__builtin_sadd_overflow(a, 100, &r)) {
        //@ PROVED      r == (long)a + 100
        //@ RESIDUAL!   a < 0
    } else {
        //@ PROVED      a > 2147483547
    }
    long wide;
    if (__builtin_mul_overflow((long)a, 3, &wide)) return 1;
    //@ RESIDUAL    wide == 3L * a
    return 0;
}
