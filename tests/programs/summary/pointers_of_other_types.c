// smalti: --stages summary --checks assertion
// What a pointer to another type writes is read as the type of the cell. A pointer into a row of a
// matrix may leave the row.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int(), which = __VERIFIER_nondet_int();
    if (n < 0 || n > 2) return 0;
    int a[4] = {7, 7, 7, 7}, b[4] = {7, 7, 7, 7}, m[2][3] = {{0}};
    unsigned *of_a = (unsigned *)a, *of_b = (unsigned *)b;
    of_a[0] = 1;
    of_b[0] = -5;
    int *row = m[0];
    row[n] = 5;
    if (which == 1)
        __VERIFIER_assert(a[0] == 7);           //@ RESIDUAL!  it was written
    if (which == 2)
        __VERIFIER_assert(b[0] > 0);            //@ RESIDUAL!  it is -5
    if (which == 3)
        __VERIFIER_assert(m[0][1] == 0);        //@ RESIDUAL!  it is 5 if n is 1
    row[n + 3] = 6;
    if (which == 4)
        __VERIFIER_assert(m[1][0] == 0);        //@ RESIDUAL!  the row ends before n + 3
    return 0;
}
