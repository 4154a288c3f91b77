// smalti: --stages summary --checks assertion
// Unknown code may write what it has the address of, and the globals whose names it knows.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void unknown(int *);
int global = 1;

int main(void) {
    int seen = 1, hidden = 2, which = __VERIFIER_nondet_int();
    unknown(&seen);
    if (which == 1)
        __VERIFIER_assert(seen == 1);       //@ RESIDUAL!  it has the address
    if (which == 2)
        __VERIFIER_assert(global == 1);     //@ RESIDUAL!  it has the name
    __VERIFIER_assert(hidden == 2);         //@ PROVED
    return 0;
}
