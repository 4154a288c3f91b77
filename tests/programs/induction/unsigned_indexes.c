// smalti: --stages induction --checks bounds
// Unsigned sums and conversions wrap around where they are indexes.
extern int __VERIFIER_nondet_int(void);

static int down(int *a, unsigned n) {
    int r = 0;
    for (unsigned i = n; i > 0; i--) r |= a[i - 1];     //@ PROVED bounds
    return r;
}

static int down_from_the_end(int *a, unsigned n) {
    int r = 0;
    for (unsigned i = n; i > 0; i--) r |= a[i];         //@ RESIDUAL bounds
    return r;
}

static int down_to_the_wrap(int *a, unsigned n) {
    int r = 0;
    for (unsigned i = n; i < n + 1; i--) r |= a[i - 1]; //@ RESIDUAL bounds
    return r;
}

int main(void) {
    static int a[256];
    unsigned n = (unsigned char)__VERIFIER_nondet_int();
    int k = __VERIFIER_nondet_int();
    int r = down(a, n);
    r |= a[(unsigned char)(n + 1)];                     //@ PROVED bounds
    r |= a[(unsigned char)k];                           //@ PROVED bounds
    if (k > 0)
        r |= a[(signed char)(k & 127)];                 //@ PROVED bounds
    if (k >= -1)
        r |= a[(unsigned char)k - 1];                   //@ RESIDUAL bounds
    if (k < 1000)
        r |= a[(signed char)k];                         //@ RESIDUAL bounds
    return r | down_from_the_end(a, n + 1) | down_to_the_wrap(a, n);
}
