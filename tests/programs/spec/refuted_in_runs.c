// smalti: --stages bounded --function least --checks assertion
/* A run refutes a quantified claim, from a state that satisfies the precondition. */
/*@ requires 1 <= n <= 3 && \valid(a + (0 .. n - 1));
    requires \forall integer k; 0 <= k < n ==> a[k] > 0;
    ensures \forall integer k; 0 <= k < n ==> \result <= a[k]; */   //@ VIOLATED
int least(int *a, int n) {
    int m = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > m) m = a[i];
    /*@ assert m > 0; */                //@ RESIDUAL
    return m;
}
int main(void) { return 0; }
