// smalti: --stages domains,summary,induction --function insert_all
// The sorted part, and the gap that moves through it, are found from the order in the contract.
/*@ requires 0 <= n <= 1000;
    requires \valid(t + (0 .. n - 1));
    assigns t[0 .. n - 1];                                          //@ PROVED
    ensures \forall integer k; 0 <= k < n - 1 ==> t[k] <= t[k + 1]; //@ PROVED
*/
void insert_all(int *t, int n) {
    for (int done = 1; done < n; done++) {
        int v = t[done], gap = done;                                //@ PROVED bounds
        while (gap > 0 && t[gap - 1] > v) {
            t[gap] = t[gap - 1];
            gap--;
        }
        t[gap] = v;                                                 //@ PROVED bounds
    }
}

int main(void) { int t[3] = {3, 1, 2}; insert_all(t, 3); return t[0]; }
