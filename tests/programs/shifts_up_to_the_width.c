// smalti: --stack smash/box --checks overflow
// An amount has to be less than the width of what is shifted, and not negative; a signed value to the left keeps its value, and is not negative.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 32)
        return 0;
    unsigned long long wide = 1ull << n;        //@ PROVED overflow
    if (x > 3)
        return x << n;                          //@ VIOLATED overflow
    if (x > 2)
        return (int)x >> n;                     //@ VIOLATED overflow
    if (n == 32)
        return 0;
    x = x << n;                                 //@ PROVED overflow
    n = n - 1;
    x = x >> n;                                 //@ VIOLATED overflow
    int y = 1 << n;                             //@ PROVED overflow
    y = 2 << n;                                 //@ VIOLATED overflow
    y = -y;
    y = y >> n;                                 //@ PROVED overflow
    return y << 1;                              //@ VIOLATED overflow
}
