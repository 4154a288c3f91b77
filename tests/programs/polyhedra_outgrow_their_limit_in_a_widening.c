// smalti: --stages domains --stack partition/apron-polyhedra
// A widening exceeds the limit on corners of polyhedra, which must not end the process.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 6);
    int a[100001];
    int b[100001];
    int x = 1, y = __VERIFIER_nondet_int(), f = 0, g = 0, m = 0, s = 0, k = 0, t = 0, q = __VERIFIER_nondet_int();
    short h = 0;
    for (int i = 0; i < n; i++) a[i] = n - i;
    for (int i = 0; i < n; i++) b[i] = a[i];
    for (int i = 0; i < n; i++) {
        k = i;
    }
    for (int i = 0; i < n; i++) {
        if (y > 0) {
            if (i % 2 == 0 && i < k) {
            } else {
                if (a[i] > m) {
                }
            }
        }
        if (a[i] < m) {
            if (a[i] + 1 > m && __VERIFIER_nondet_int() > 2) {
                if (a[i] != b[i] && s < n) {
                }
            }
        }
    }
    for (int i = 0; i < n; i++) {
        if (a[i] > m && a[i] == x) {
            if (i == k && a[i] == 0) {
            }
        }
    }
    //@ RESIDUAL!  m > 1 || k <= 3
}
