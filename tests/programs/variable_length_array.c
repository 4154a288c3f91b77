// smalti: --stack smash/box
// The length of an array is the value at its declaration.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 4);
    int a[n];
    int made = n;
    n = 1000;
    for (int i = 0; i < made; i++) {
        a[i] = i;
    }
    //@ PROVED      a[made - 1] == made - 1
    //@ PROVED      sizeof(a) == made * sizeof(int)
    //@ VIOLATED    made == 3
    return 0;
}
