// smalti: --checks bounds --stages domains,summary,induction
// A pointer that leaves its array is no excuse for the access through it.
extern int __VERIFIER_nondet_int(void);

static int below(int *s, int n, int i) {
    return i < n ? s[i] : 0;            //@ RESIDUAL bounds
}

static int moved(int *s, int n, int i) {
    return i < n ? *(s + i) : 0;        //@ RESIDUAL bounds
}

static int other(int *s, int n, int i) {
    return i != n ? s[i] : 0;           //@ RESIDUAL bounds
}

static int inside(int *s, int n, int i) {
    return i < n && i >= 0 ? s[i] : 0;  //@ PROVED bounds
}

static int backward(int *s, int n) {
    int i = n - 1;
    while (s[i] != 0) i--;              //@ RESIDUAL bounds
    return i;
}

int main(void) {
    static int t[10];
    int *s = t;
    for (int k = 0; k < 10; k++) t[k] = __VERIFIER_nondet_int();
    int r = below(s, 10, __VERIFIER_nondet_int()) + moved(s, 10, __VERIFIER_nondet_int());
    r += other(s, 10, __VERIFIER_nondet_int()) + inside(s, 10, __VERIFIER_nondet_int());
    return r + backward(s, 10);
}
