// smalti: --stack smash/box --stages domains
// The index in one branch of a conditional says nothing about runs that take the other branch.
extern unsigned char __VERIFIER_nondet_uchar(void);
long c[3] = {5};

int main(void) {
    int a = __VERIFIER_nondet_uchar() == 3;
    unsigned char b = __VERIFIER_nondet_uchar();
    int r = (unsigned int)c[1] == ((a <= b) ? 221u : c[b]);
    //@ RESIDUAL!   b != 6
    return 0;
}
