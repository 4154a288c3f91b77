// smalti: --stages domains --stack partition/octagon --checks assertion
/* Cells beyond the range and cells that fail the guard on the field are told apart. */
#include <stdlib.h>
struct slot { int used; int key; };
int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000 || m < 1 || m > n || i < 0 || i >= n) return 0;
    struct slot *t = malloc(n * sizeof(struct slot));
    for (int j = 0; j < n; j++) { t[j].used = __VERIFIER_nondet_int(); t[j].key = __VERIFIER_nondet_int(); }
    /*@ assume \forall integer k; 0 <= k < m && t[k].used > 0 ==> 3 <= t[k].key <= 9; */
    /*@ check \forall integer k; 0 <= k < m && t[k].used > 2 ==> 3 <= t[k].key; */      //@ PROVED
    /*@ check \forall integer k; 0 <= k < m && t[k].used < 0 ==> 3 <= t[k].key; */      //@ RESIDUAL!
    /*@ check \forall integer k; 0 <= k < m && t[k].used >= 0 ==> 3 <= t[k].key; */     //@ RESIDUAL!
    /*@ check \forall integer k; 0 <= k <= m && t[k].used > 0 ==> 3 <= t[k].key; */     //@ RESIDUAL!
    if (i < m && t[i].used == 1) {
        /*@ check 3 <= t[i].key <= 9; */            //@ PROVED
        /*@ check t[i].key <= 8; */                 //@ RESIDUAL!
        return 0;
    }
    if (t[i].used == 1) {
        /*@ check t[i].key <= 9; */                 //@ RESIDUAL!
        return 0;
    }
    return 0;
}
