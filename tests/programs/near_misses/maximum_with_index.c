// smalti: --stages summary --checks assertion
// Near misses: a greatest cell, and where it is.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 500) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int at = 0, greatest = a[0], late = 0, latest = a[0], where = 0;
    for (int i = 1; i < n; i++)
        if (a[i] > greatest) {
            at = i;
            greatest = a[i];
        }
    __VERIFIER_assert(at == 0 || greatest > a[0]);      //@ PROVED
    //@ RESIDUAL! at == 0 || greatest > a[1]  it may be the second cell
    __VERIFIER_assert(at != 0 || greatest == a[0]);      //@ PROVED
    //@ RESIDUAL! at != 1 || greatest == a[0]  the index
    for (int i = 1; i < n; i++)
        if (a[i] >= latest) {
            late = i;
            latest = a[i];
        }
    __VERIFIER_assert(latest >= a[n - 1]);      //@ PROVED
    //@ RESIDUAL! latest > a[n - 1]  the last cell may be the greatest
    //@ RESIDUAL! late == 0 || latest > a[0]  this is the last of the greatest cells
    while (where < n && a[where] != greatest) where++;
    __VERIFIER_assert(where < n);      //@ PROVED
    //@ RESIDUAL! where < n - 1  it may be the last cell
    __VERIFIER_assert(where == 0 || a[0] < greatest);      //@ PROVED
    //@ RESIDUAL! where == n - 1 || a[n - 1] < greatest  there may be more behind the first one
    return 0;
}
