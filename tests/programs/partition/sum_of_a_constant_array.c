// smalti: --stages domains --stack partition/apron-polyhedra
// smalti: --stages domains --stack partition/apron-polyhedra -D SIZE=24
// smalti: --stages domains --stack partition/apron-polyhedra -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
/* The sum has a coefficient: polyhedra. */
int main(void) {
    int n = SIZE;
    if (n < 1) return 0;
    int a[n];
    long sum = 0;
    for (int i = 0; i < n; i++) a[i] = 2;
    for (int i = 0; i < n; i++) sum = sum + a[i];
    //@ PROVED      sum == 2L * n
    //@ RESIDUAL!   sum == n
    return 0;
}
