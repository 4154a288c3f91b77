// smalti: --stages domains --stack partition/octagon --checks assertion
/* Used and unused entries in any order: a relation between the fields of an entry tells them apart. */
struct entry { int used; int key; };
struct entry t[40];
int main(void) {
    int n = 40, i;
    for (i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int()) {
            t[i].used = 1;
            t[i].key = i;
        } else {
            t[i].used = 0;
            t[i].key = -1;
        }
    }
    /*@ check \forall integer k; 0 <= k < n && t[k].used > 0 ==> 0 <= t[k].key < n; */   //@ PROVED
    /*@ check \forall integer k; 0 <= k < n && t[k].used > 0 ==> t[k].key <= k; */       //@ PROVED
    /*@ check \forall integer k; 0 <= k < n && t[k].used > 0 ==> t[k].key == k; */       //@ PROVED
    /*@ check \forall integer k; 0 <= k < n && t[k].used >= 0 ==> 0 <= t[k].key; */      //@ RESIDUAL!
    /*@ check \forall integer k; 0 <= k < n ==> t[k].key < k; */                         //@ RESIDUAL!
    return 0;
}
