// smalti: --stages domains --stack partition/octagon --function find --checks assertion,bounds
/* A test of one field tells which cells the precondition speaks of. */
struct node { int rank; int up; };
/*@ requires 0 < n && \valid(t + (0 .. n - 1));
    requires \forall integer k; 0 <= k < n && t[k].rank > 0 ==> 0 <= t[k].up < n;
    requires 0 <= i < n && 0 <= j < n;
*/
int find(struct node *t, int n, int i, int j, int way) {
    if (way == 0 && t[i].rank > 0) {
        int p = t[i].up;
        /*@ check 0 <= p < n; */        //@ PROVED
        /*@ check p < n - 1; */         //@ RESIDUAL!
        int rank = t[p].rank;           //@ PROVED bounds
        int q = t[j].up;
        /*@ check q < n; */             //@ RESIDUAL!
        return rank;
    }
    if (way == 1 && t[i].rank >= 0) {
        int p = t[i].up;
        /*@ check 0 <= p; */            //@ RESIDUAL!
        return p;
    }
    if (way == 2 && t[i].rank != 0) {
        int p = t[i].up;
        /*@ check p < n; */             //@ RESIDUAL!
        return p;
    }
    /*@ check \forall integer k; 0 <= k < n && t[k].rank > 3 ==> t[k].up < n; */     //@ PROVED
    /*@ check \forall integer k; 0 <= k < n && t[k].rank >= 0 ==> t[k].up < n; */    //@ RESIDUAL!
    return 0;
}
int main(void) { return 0; }
