// smalti: --stages summary --checks assertion
// The iteration between writes the cell three places behind once more, if it is late enough.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

enum { LENGTH = 12 };

int main(void) {
    int n = __VERIFIER_nondet_int(), a[LENGTH], b[LENGTH];
    for (int i = 0; i < LENGTH; i++) a[i] = b[i] = 0;
    for (int i = 3; i < 9; i++) {
        a[i] = a[i - 3] + 1;
        if (i > n) a[i - 1] = 7;
    }
    for (int i = 3; i < 9; i++) b[i] = b[i - 3] + 1;
    if (__VERIFIER_nondet_int() == 1)
        __VERIFIER_assert(a[8] == 2);       //@ RESIDUAL!  it is 8 if n is 0: a[5] was 7
    __VERIFIER_assert(b[8] == 2);           //@ PROVED
    return 0;
}
