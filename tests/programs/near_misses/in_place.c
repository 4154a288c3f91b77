// smalti: --stages summary --checks assertion
// Near misses: iterations that read what others have written.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 3 || n > 20) return 0;
    long long a[n], b[n], c[n], d[n], e[n], old[n];
    for (int i = 0; i < n; i++) {
        old[i] = __VERIFIER_nondet_int();
        a[i] = b[i] = c[i] = d[i] = e[i] = old[i];
    }
    // From the left the cell before is new, from the right it is old.
    for (int i = 1; i < n; i++) a[i] = a[i] + a[i - 1];
    for (int i = n - 1; i > 0; i--) b[i] = b[i] + b[i - 1];
    __VERIFIER_assert(a[1] == old[0] + old[1]);      //@ PROVED
    //@ RESIDUAL! a[2] == old[1] + old[2]  that is from the right
    __VERIFIER_assert(b[2] == old[1] + old[2]);      //@ PROVED
    //@ RESIDUAL! b[2] == old[0] + old[1] + old[2]  that is from the left
    //@ RESIDUAL! b[n - 1] == a[n - 1]  for two cells only
    // The left half becomes the right half in a mirror.
    for (int i = 0; i < n / 2; i++) c[i] = c[n - 1 - i];
    __VERIFIER_assert(c[0] == old[n - 1]);      //@ PROVED
    //@ RESIDUAL! c[n - 1] == old[0]  the first cell is lost
    __VERIFIER_assert(c[n - 1] == c[0]);      //@ PROVED
    //@ RESIDUAL! c[n - 1] == c[1]  by one cell
    d[0] = d[1] = 1;
    for (int i = 2; i < n; i++) d[i] = d[i - 1] + 2;
    __VERIFIER_assert(d[n - 1] == 2 * n - 3);      //@ PROVED
    //@ RESIDUAL! d[n - 1] == 2 * n - 1  the first two are equal
    for (int i = 1; i < n; i++) {
        e[i - 1] = e[i];
        e[i] = 0;
    }
    __VERIFIER_assert(e[1] == old[2]);      //@ PROVED
    //@ RESIDUAL! e[1] == 0  it is written once more
    __VERIFIER_assert(e[n - 1] == 0);      //@ PROVED
    //@ RESIDUAL! e[n - 2] == 0  the last one only
    return 0;
}
