// smalti: --stages summary --checks assertion
// Near misses: two halves become one array, one after the other and in turn.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 300) return 0;
    int left[n], right[n], joined[2 * n], mixed[2 * n];
    for (int i = 0; i < n; i++) left[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) right[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) joined[i] = left[i];
    for (int i = n; i < 2 * n; i++) joined[i] = right[i - n];
    for (int i = 0; i < n; i++) {
        mixed[2 * i] = left[i];
        mixed[2 * i + 1] = right[i];
    }
    __VERIFIER_assert(joined[n] == right[0]);      //@ PROVED
    //@ RESIDUAL! joined[n - 1] == right[0]  by one cell
    for (int i = 0; i < n; i++) {
        __VERIFIER_assert(joined[n + i] == right[i]);      //@ PROVED
        //@ RESIDUAL! joined[n + i] == left[i]  the halves are swapped
        __VERIFIER_assert(mixed[2 * i + 1] == right[i]);      //@ PROVED
        //@ RESIDUAL! mixed[2 * i] == right[i]  the halves are swapped
        //@ RESIDUAL! mixed[i] == (i % 2 ? right[i] : left[i])  half the index
    }
    long long of_joined = 0, of_mixed = 0, of_left = 0, of_right = 0;
    for (int i = 0; i < 2 * n; i++) of_joined += joined[i];
    for (int i = 0; i < 2 * n; i++) of_mixed += mixed[i];
    for (int i = 0; i < n; i++) of_left += left[i];
    for (int i = 0; i < n; i++) of_right += right[i];
    __VERIFIER_assert(of_joined == of_left + of_right);      //@ PROVED
    //@ RESIDUAL! of_joined == of_left - of_right  the sign
    __VERIFIER_assert(of_mixed == of_joined);      //@ PROVED
    //@ RESIDUAL! of_mixed == of_joined + joined[0] - joined[n]  a cell of the other half
    return 0;
}
