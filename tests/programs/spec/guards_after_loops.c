// smalti: --stages domains --stack partition/octagon --checks assertion
/* After the loop, a fact holds for the used entries of a table only. */
struct entry { int used; int key; };
struct entry t[40];
int main(void) {
    int n = 40, m = __VERIFIER_nondet_int(), i;
    if (m < 0 || m > n) return 0;
    for (i = 0; i < m; i++) { t[i].used = 1; t[i].key = i; }
    for (i = m; i < n; i++) { t[i].used = 0; t[i].key = -1; }
    /*@ check \forall integer k; 0 <= k < n && t[k].used > 0 ==> 0 <= t[k].key < n; */   //@ PROVED
    /*@ check \forall integer k; 0 <= k < n && t[k].used > 0 ==> t[k].key == k; */       //@ PROVED
    /*@ check \forall integer k; 0 <= k < n && t[k].used > 0 ==> k < m; */               //@ PROVED
    /*@ check \forall integer k; 0 <= k < n && t[k].used == 0 ==> t[k].key == -1; */     //@ PROVED
    /*@ check \forall integer k; 0 <= k < n && t[k].used >= 0 ==> t[k].key >= 0; */      //@ RESIDUAL!
    /*@ check \forall integer k; 0 <= k < n ==> t[k].used == 1; */                       //@ RESIDUAL!
    for (i = 0; i < n; i++) {
        if (t[i].used == 0) { t[i].used = 2; t[i].key = 7; }
    }
    /*@ check \forall integer k; 0 <= k < n && t[k].used == 2 ==> t[k].key == 7; */      //@ PROVED
    /*@ check \forall integer k; 0 <= k < n ==> t[k].key >= 0; */                        //@ PROVED
    return 0;
}
