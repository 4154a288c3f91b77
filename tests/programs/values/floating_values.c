// smalti: --stack values --stages domains
// Floating values have ranges, rounded outwards; what is exact stays exact.
extern int __VERIFIER_nondet_int(void);
float cells[16];

static int rounded(double x) { return (int)(x < 0 ? x - 0.5 : x + 0.5); }

int main(void) {
    float *p = cells;
    for (float i = 0; i < 4; i++)
        for (float j = 0; j < 4; j++) *p++ = i * 4 + j;                         //@ PROVED bounds
    //@ PROVED      cells[15] == 15.0f
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    double half = n / 2.0;
    //@ PROVED      half >= 0 && half <= 50
    int k = rounded(half);
    //@ PROVED      k >= 0 && k <= 50
    //@ RESIDUAL!   k < 50
    double tenth = 0.1, sum = 0;
    for (int i = 0; i < 10; i++) sum += tenth;
    //@ PROVED      sum > 0.999 && sum < 1.001
    //@ RESIDUAL!   sum == 1.0
    double zero = 0, nan = zero / zero;
    //@ RESIDUAL!   nan == nan
    return 0;
}
