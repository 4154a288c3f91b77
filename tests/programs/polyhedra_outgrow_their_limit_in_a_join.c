// smalti: --stages domains --stack partition/apron-polyhedra
// A join of polyhedra exceeds the limit on corners, which must not end the process.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 5);
    int a[100001];
    int b[100001];
    int x = 1, y = 0, f = 0, g = 0, m = 0, s = 0, k = 0, t = 0, q = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] < 0) a[i] = 0;
    }
    k = n;
    for (int i = n - 1; i >= 0; i--) {
        t = x;
        x = y;
        y = b[i];
    }
    for (int i = 0; i < n; i++) {
        b[i] = a[i] + 1;
        if (i == k) {
            break;
            if (__VERIFIER_nondet_int() > 2) {
            }
        }
    }
    for (int i = 0; i < n - 1; i++) {
        if (a[i] == a[i + 1]) {
            f = 1;
            k = i;
        }
    }
    for (int i = 0; i < n; i++) {
        //@ RESIDUAL!  i != k || a[i] == q
    }
}
