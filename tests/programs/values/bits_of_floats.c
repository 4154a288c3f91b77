// smalti: --stack values --stages domains
// Floating values and their bits; bits that a mask has found.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
union word { float f; int i; unsigned u; };
union wide { double d; unsigned long long u; };

static int exponent(float x) {
    union word w;
    w.f = x;
    return (w.i >> 23) - 127;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 4 || n > 7) return 0;
    float x = n + 0.5f;
    int e = exponent(x);
    //@ PROVED      e == 2
    e = exponent(n - 3.0f);
    //@ PROVED      e >= 0 && e <= 2
    //@ RESIDUAL!   e != 2
    union word w;
    w.f = -x;
    //@ PROVED      w.i < 0 && w.u > 0x80000000u
    w.u = w.u & 0x7fffffff;
    //@ PROVED      w.f >= 4.5f && w.f <= 7.5f
    w.f = n - 5.5f;
    w.u = w.u & 0x7fffffff;
    //@ RESIDUAL!   w.f < 1.0f
    w.i = __VERIFIER_nondet_int();
    if (w.i < 0x3f800000 || w.i > 0x40000000) return 0;
    //@ PROVED      w.f >= 1.0f && w.f <= 2.0f
    w.i = w.i + 0x40000000;
    //@ RESIDUAL!   w.f <= 3.0e38f
    //@ RESIDUAL!   w.f == w.f
    union wide d;
    d.d = n * 2.0;
    //@ PROVED      (d.u >> 52) >= 1026 && (d.u >> 52) <= 1026
    double zero = n - 5;
    d.d = zero * -1.0;
    //@ RESIDUAL!   d.u == 0 || d.d != 0

    unsigned m = __VERIFIER_nondet_uint();
    if (m > 0xffff) return 0;
    if ((m & 0x8000) == 0) {
        //@ PROVED      m <= 0x7fff
        //@ RESIDUAL!   m < 0x7fff
    } else {
        //@ PROVED      m >= 0x8000
        //@ RESIDUAL!   m > 0x8000
    }
    if ((m & 0xf0f0) == 0x1020) {
        //@ PROVED      m >= 0x1020 && m <= 0x1f2f
        //@ RESIDUAL!   m != 0x1f2f
        //@ RESIDUAL!   m != 0x1020
    }
    unsigned from = m | 1;
    int shifts = 0;
    while ((from & 0x10000) == 0) {
        from <<= 1;
        shifts++;
    }
    //@ PROVED      shifts >= 1 && shifts <= 16
    //@ RESIDUAL!   shifts < 16
    return 0;
}
