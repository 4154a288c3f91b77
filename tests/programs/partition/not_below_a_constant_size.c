// smalti: --stages domains --stack partition/octagon
/* n may be 0 or negative: then no cell is written. */
int main(void) {
    int n = __VERIFIER_nondet_int(), a[100];
    if (n > 100) return 0;
    for (int i = 0; i < 100; i++) a[i] = 1;
    for (int i = 0; i < n; i++) a[i] = 0;
    //@ RESIDUAL!   a[0] == 0
    //@ PROVED      a[0] >= 0 && a[0] <= 1
    return 0;
}
