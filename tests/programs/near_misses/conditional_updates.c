// smalti: --stages summary --checks assertion
// Near misses: updates that depend on inputs.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100) return 0;
    int in = 0, out = 0, level = 0, last = -1, at = -1, state = 0, capped = 0;
    for (int i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int() > 0) {
            in++;
            level += 2;
        } else {
            out++;
            level--;
        }
    }
    __VERIFIER_assert(in + out == n);      //@ PROVED
    //@ RESIDUAL! in == out  one of the two
    __VERIFIER_assert(level == 2 * in - out);      //@ PROVED
    //@ RESIDUAL! level == 2 * in + out  the sign
    //@ RESIDUAL! level >= 0  it sinks as well
    __VERIFIER_assert(level == 3 * in - n);      //@ PROVED
    //@ RESIDUAL! level == 3 * in + n  the sign
    for (int i = 0; i < n; i++) {
        int value = __VERIFIER_nondet_int();
        if (value < 0) continue;
        last = value;
        at = i;
    }
    __VERIFIER_assert((last < 0) == (at < 0));      //@ PROVED
    __VERIFIER_assert(at < n);      //@ PROVED
    //@ RESIDUAL! at < n - 1  it may be the last one
    __VERIFIER_assert(last >= -1);      //@ PROVED
    //@ RESIDUAL! last >= 0  there may be none
    //@ RESIDUAL! (last <= 0) == (at < 0)  zero is a value
    //@ RESIDUAL! (last < 0) == (at <= 0)  zero is an index
    for (int i = 0; i < n; i++) state = i == 7 ? 1 : state;
    __VERIFIER_assert(state == (n > 7));      //@ PROVED
    //@ RESIDUAL! state == (n >= 7)  the eighth iteration
    for (int i = 0; i < n; i++)
        if (capped < 10) capped++;
    __VERIFIER_assert(capped == (n < 10 ? n : 10));      //@ PROVED
    //@ RESIDUAL! capped == 10  n may be less
    //@ RESIDUAL! capped < 10  it may get there
    return 0;
}
