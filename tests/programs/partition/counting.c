// smalti: --stages domains --stack partition/octagon
// smalti: --stages domains --stack partition/octagon -D SIZE=24
// smalti: --stages domains --stack partition/octagon -D SIZE=10000000
#ifndef SIZE
#define SIZE __VERIFIER_nondet_int()
#endif
int main(void) {
    int n = SIZE, count = 0;
    if (n < 1) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = 1;
    for (int i = 0; i < n; i++) {
        if (a[i] == 1) count++;
    }
    //@ PROVED      count == n
    return 0;
}
