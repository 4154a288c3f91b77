// smalti: --stages summary --checks assertion
// How often an inner loop writes a cell depends on the index of the cell. What one branch assumes
// is not known after it.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 1 || n > 20 || m < -20 || m > 20) return 0;
    int a[20], before[20], behind[20], odd[20], squares[20];
    for (int i = 0; i < n; i++) {
        int value = __VERIFIER_nondet_int();
        a[i] = value > 9 ? 9 : value < 0 ? 0 : value;
        before[i] = behind[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) before[j] = before[j] + a[j];
        for (int j = i; j < n; j++) behind[j] = behind[j] + 2;
    }
    odd[0] = squares[0] = 1;
    for (int i = 1; i < n; i++) odd[i] = odd[i - 1] + 2;
    for (int i = 1; i < n; i++) squares[i] = squares[i - 1] + odd[i - 1] + 2;
    int sum, twice = 0, asked = 0;
    for (int i = 0; i < n; i++) {
        if (i == 0) sum = 0;
        else sum = sum + 3;
    }
    if (__VERIFIER_nondet_int()) {
        asked = 1;
        if (m < 0) return 0;
    }
    for (int i = 0; i < m; i++) twice = twice + 2;
    for (int i = 0; i < n; i++) {
        __VERIFIER_assert(before[i] == (n - i - 1) * a[i]);     //@ PROVED
        __VERIFIER_assert(behind[i] == 2 * i + 2);              //@ PROVED
        __VERIFIER_assert(squares[i] == (i + 1) * (i + 1));     //@ PROVED
    }
    __VERIFIER_assert(sum == 3 * n - 3);                        //@ PROVED
    __VERIFIER_assert(twice == 2 * m || asked == 0);            //@ PROVED
    if (n == 2) __VERIFIER_assert(before[0] == 2 * a[0]);       //@ RESIDUAL!  it is a[0]
    if (n == 3) __VERIFIER_assert(behind[0] == 2 * n);          //@ RESIDUAL!  it is 2
    if (n == 4) __VERIFIER_assert(squares[3] == 15);            //@ RESIDUAL!  it is 16
    if (n == 5) __VERIFIER_assert(sum == 15);                   //@ RESIDUAL!  it is 12
    if (n == 6) __VERIFIER_assert(twice == 2 * m);              //@ RESIDUAL!  m may be negative
    return 0;
}
