// smalti: --stages summary --checks assertion
// Near misses: numbers from digits, recurrences, and powers.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (n < 0 || n > 12 || x < 0 || x > 9) return 0;
    long long value = 0, power = 1, twos = 1, geometric = 0;
    for (int i = 0; i < n; i++) {
        value = 10 * value + x;
        power *= 10;
    }
    __VERIFIER_assert(9 * value == x * (power - 1));      //@ PROVED
    //@ RESIDUAL! 9 * value == x * power - 1  parentheses
    //@ RESIDUAL! 10 * value == x * (power - 1)  the base
    for (int i = 0; i < n; i++) {
        geometric += twos;
        twos = 2 * twos;
    }
    __VERIFIER_assert(geometric == twos - 1);      //@ PROVED
    //@ RESIDUAL! geometric == twos  the last one is missing
    int digits[13];
    unsigned hash = 0, turned = 0;
    for (int i = 0; i < n; i++) digits[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) hash = 31 * hash + digits[i];
    for (int i = n - 1; i >= 0; i--) turned = 31 * turned + digits[i];
    unsigned again = 0;
    for (const int *p = digits; p < digits + n; p++) again = 31 * again + *p;
    __VERIFIER_assert(hash == again);      //@ PROVED
    //@ RESIDUAL! hash == turned  the other order
    long long linear = 1;
    for (int i = 0; i < n; i++) linear = 3 * linear - 2;
    __VERIFIER_assert(linear == 1);      //@ PROVED
    //@ RESIDUAL! linear == 1 - n  the fixed point
    return 0;
}
