// smalti: --stages induction --checks bounds
// Only locals of the outermost block are known to live when a pointer to them is used.
extern int __VERIFIER_nondet_int(void);

static int *of_callee(void) {
    int t[3];
    int *q = t;
    return q;
}

static int *of_parameter(int v) {
    int *q = &v;
    return q;
}

static int *same(int *q) {
    return q;
}

int main(void) {
    int k = __VERIFIER_nondet_int();
    int outer[2];
    int *living = same(outer);
    living[1] = 4;                      //@ PROVED bounds
    if (0 <= k && k < 3)
        living[k] = 5;                  //@ RESIDUAL bounds

    int *inside;
    {
        int block[4];
        inside = block;
    }
    int r = inside[1];                  //@ RESIDUAL bounds

    int *called = of_callee();
    r += called[0];                     //@ RESIDUAL bounds

    int *copied = of_parameter(5);
    r += *copied;                       //@ RESIDUAL bounds

    int *looped = 0;
    for (int i = 0; i < 3; i++) {
        int d[2];
        looped = d;
    }
    return r + looped[0];               //@ RESIDUAL bounds
}
