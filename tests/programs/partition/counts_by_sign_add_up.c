// smalti: --stages domains --stack partition/apron-polyhedra
// smalti: --stages domains --stack partition/apron-polyhedra -D SIZE=24
// smalti: --stages domains --stack partition/apron-polyhedra -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
/* Three variables in one equation: polyhedra. */
int main(void) {
    int n = SIZE, p = 0, q = 0;
    if (n < 1) return 0;
    int a[n], positive[n], negative[n];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (a[i] >= 0) {
            positive[p] = a[i];
            p++;
        } else {
            negative[q] = a[i];
            q++;
        }
    }
    //@ PROVED      p + q == n
    //@ RESIDUAL!   p == n
    return 0;
}
