// smalti: --stages domains --stack partition/octagon --function find --checks assertion
/* A write to a cell forgets what was known about every cell that may be the same. */
struct node { int rank; int up; };
/*@ requires 0 < n && \valid(t + (0 .. n - 1));
    requires \forall integer k; 0 <= k < n && t[k].rank > 0 ==> 0 <= t[k].up < n;
    requires 0 <= i < n && 0 <= j < n;
*/
int find(struct node *t, int n, int i, int j, int x, int way) {
    /*@ check \forall integer k; 0 <= k < n && t[k].rank > 3 ==> t[k].up < n; */     //@ PROVED
    /*@ check \forall integer k; 0 <= k < n && t[k].rank >= 0 ==> t[k].up < n; */    //@ RESIDUAL!
    if (way == 0 && t[i].rank > 0) {
        t[j].up = x;
        int p = t[i].up;
        /*@ check 0 <= p < n; */        //@ RESIDUAL!
        return p;
    }
    if (way == 1) {
        t[i].rank = 1;
        int p = t[i].up;
        /*@ check 0 <= p; */            //@ RESIDUAL!
        return p;
    }
    if (way == 2 && t[i].rank > 0) {
        t[i].up = t[i].up - 1;
        int p = t[i].up;
        /*@ check p < n; */             //@ PROVED
        /*@ check 0 <= p; */            //@ RESIDUAL!
        return p;
    }
    return 0;
}
int main(void) { return 0; }
