// smalti: --stack smash/box --checks bounds,overflow --stages domains
// The argument has a check of its own, which does not renumber those of the body.
extern int __VERIFIER_nondet_int(void);
int a[3];

int f(int p) {
    p = a[p];                             //@ RESIDUAL! bounds
    a[p] = p;                             //@ PROVED bounds
    p = p + 5;                            //@ PROVED overflow
    return a[p];                          //@ RESIDUAL! bounds
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = f(x + 1);                     //@ RESIDUAL! overflow
    return y;
}
