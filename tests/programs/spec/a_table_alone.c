// smalti: --stages domains --stack partition/octagon --function get --checks assertion,bounds
/* A precondition about every cell holds for the cell that is read. */
/*@ requires 0 < n && \valid(a + (0 .. n - 1));
    requires \forall integer k; 0 <= k < n ==> 0 <= a[k] < n;
    requires 0 <= i < n;
*/
int get(int *a, int n, int i) {
    int next = a[i];                    //@ PROVED bounds
    int after = a[next];                //@ PROVED bounds
    /*@ check 0 <= after < n; */        //@ PROVED
    /*@ check after != next; */         //@ RESIDUAL!
    a[i] = n;                           //@ PROVED bounds
    /*@ check \forall integer k; 0 <= k < n ==> 0 <= a[k]; */       //@ PROVED
    /*@ check \forall integer k; 0 <= k < n ==> a[k] < n; */        //@ RESIDUAL!
    int beyond = a[n];                  //@ RESIDUAL! bounds
    return beyond;
}
int main(void) { int a[2] = { 1, 0 }; return 0 * (a[0] + a[1]); }
