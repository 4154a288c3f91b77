// smalti: --stack values --stages domains --checks bounds
// A declaration that is jumped over does not run, but its object lives: it may hold anything.
extern int __VERIFIER_nondet_int(void);
int g, b[6];

int main(void) {
    int k = __VERIFIER_nondet_int(), *p;
    g = 50;
    switch (k & 1) {
        int y;
    case 0: p = &y; goto both;
    default: p = &g;
    both:
        *p = 5;                                                 //@ RESIDUAL bounds
        b[g] = 1;                                               //@ RESIDUAL! bounds
    }
    for (int i = 0; i < 2; i++) {
        if (i) goto skip;
        int z, *q;
        q = &z;
        *q = 5;                                                 //@ PROVED bounds
        if (i == 0) continue;
    skip:
        if (k > 7) b[z] = 1;                                    //@ RESIDUAL! bounds
    }
    return 0;
}
