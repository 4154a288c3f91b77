// smalti: --stages summary --checks assertion
// Near misses: the first cell with a value, the last one, and whether there is one.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), wanted = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int a[n], first = 0, last = n - 1, found = 0, times = 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    while (first < n && a[first] != wanted) first++;
    while (last >= 0 && a[last] != wanted) last--;
    for (int i = 0; i < n; i++) {
        if (a[i] != wanted) continue;
        found = 1;
        times++;
    }
    __VERIFIER_assert(first == n || a[first] == wanted);      //@ PROVED
    //@ RESIDUAL! first < n  it need not be there
    __VERIFIER_assert((first < n) == found);      //@ PROVED
    //@ RESIDUAL! (first < n - 1) == found  it may be the last cell
    __VERIFIER_assert(first >= n || first <= last);      //@ PROVED
    //@ RESIDUAL! first >= n || first < last  there may be one only
    __VERIFIER_assert(found == 0 || times > 0);      //@ PROVED
    //@ RESIDUAL! found == 0 || times == 1  there may be more
    for (int i = 0; i < first; i++) {
        if (a[i] == wanted) reach_error();      //@ PROVED
        //@ RESIDUAL! a[i] <= wanted  different is not less
    }
    for (int i = last + 1; i < n; i++)
        if (a[i] == wanted) reach_error();      //@ PROVED
    for (int i = last; i < n; i++) {
        //@ RESIDUAL! i < 0 || a[i] != wanted  i starts at the last one
    }
    return 0;
}
