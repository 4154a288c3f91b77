// smalti: --stages summary --checks assertion
// Near misses: what alternates, and remainders.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    int a[1000], sign = 1, flag = 0, sum = 0, odd = 0, threes = 0, thirds = 0, by_turns = 0;
    for (int i = 0; i < n; i++) {
        a[i] = i % 3;
        sign = -sign;
        flag = !flag;
        sum += sign;
    }
    __VERIFIER_assert(flag == n % 2);      //@ PROVED
    //@ RESIDUAL! flag == (n + 1) % 2  it started at 0
    __VERIFIER_assert(sign == (n % 2 ? -1 : 1));      //@ PROVED
    //@ RESIDUAL! sign == (n % 2 ? 1 : -1)  the sign
    __VERIFIER_assert(sum == 0 || n % 2 == 1);      //@ PROVED
    //@ RESIDUAL! sum == 0 || n % 2 == 0  the other parity
    for (int i = 0; i < n; i++)
        if (i % 2 == 1) odd++;
    if (odd != n / 2) reach_error();      //@ PROVED
    for (int i = 0; i < n; i++)
        if (a[i] == 0) threes++;
    __VERIFIER_assert(threes == (n + 2) / 3);      //@ PROVED
    //@ RESIDUAL! threes == (n + 1) / 3  the remainder 1
    for (int i = 0; i < n; i++) thirds += a[i];
    //@ RESIDUAL! thirds < n  n may be a multiple of 3
    for (int i = 0; i < n; i++) {
        if (i % 2) by_turns += i;
        else by_turns -= i;
    }
    __VERIFIER_assert(n % 2 || by_turns == n / 2);      //@ PROVED
    //@ RESIDUAL! by_turns == n / 2  n may be odd
    //@ RESIDUAL! odd == (n + 1) / 2  these are the even ones
    int x = __VERIFIER_nondet_int();
    if (x > 100000 || x < -100000) return 0;
    __VERIFIER_assert(x / 2 * 2 == x || x % 2 == 1 || x % 2 == -1);      //@ PROVED
    //@ RESIDUAL! x / 2 * 2 == x || x % 2 == 1  x may be negative
    if (flag && n > 1) reach_error();      //@ RESIDUAL!  n may be odd
    return 0;
}
